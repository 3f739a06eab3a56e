import { Label } from '@patternfly/react-core';
import { Link } from 'react-router';
import { useFormats, useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { PlainTable } from '../../lists/plain-table';
import { Section } from '../../parts/section';
import type { Service } from './system';
import { systemTexts } from './texts';

const STATUS = { ok: 'success', degraded: 'warning', unavailable: 'danger' } as const;

/** A line for each service. */
export function Services({ services }: { readonly services: readonly Service[] }) {
  const t = useTexts(systemTexts);
  const { count, duration } = useFormats();
  const failing = ({ checks }: Service): string =>
    Object.entries(checks ?? {})
      .filter(([, isWell]) => !isWell)
      .map(([name]) => name)
      .join(', ');
  const columns: readonly Column<Service>[] = [
    { name: 'service', title: t.service, text: ({ service }) => service },
    {
      name: 'state',
      title: t.state,
      text: ({ state }) => t.states[state],
      cell: ({ state }) => (
        <Label variant="outline" isCompact status={STATUS[state]}>
          {t.states[state]}
        </Label>
      ),
    },
    { name: 'failing', title: t.failing, text: (row) => failing(row) || '–' },
    { name: 'version', title: t.version, text: ({ version }) => version ?? '–' },
    {
      name: 'uptime',
      title: t.uptime,
      text: ({ uptime_seconds: seconds }) => (seconds === null ? '–' : duration(seconds)),
    },
    {
      name: 'parked',
      title: t.parked,
      text: ({ parked }) => (parked ? t.parkedCount(count(parked.blocking), count(parked.aside)) : '–'),
      cell: ({ service, parked }) =>
        parked ? (
          <Link to={`/parked?service=${service}`}>{t.parkedCount(count(parked.blocking), count(parked.aside))}</Link>
        ) : (
          '–'
        ),
    },
  ];
  return (
    <Section title={t.services}>
      <PlainTable name={t.services} columns={columns} rows={services} keyOf={({ service }) => service} />
    </Section>
  );
}
