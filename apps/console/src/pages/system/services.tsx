import { Link } from 'react-router';
import { useFormats, useTexts } from '../../language/language-context';
import { stateColumn, type Column } from '../../lists/column';
import { TableSection } from '../../lists/table-section';
import type { Service } from './system';
import { systemTexts } from './texts';

const STATE_LOOKS = { ok: 'success', degraded: 'warning', unavailable: 'danger' } as const;

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
    { title: t.service, text: ({ service }) => service },
    stateColumn(t.state, ({ state }) => state, t.states, STATE_LOOKS),
    { title: t.failing, text: (row) => failing(row) || '–' },
    { title: t.version, text: ({ version }) => version ?? '–' },
    {
      title: t.uptime,
      text: ({ uptime_seconds: seconds }) => (seconds === null ? '–' : duration(seconds)),
    },
    {
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
  return <TableSection title={t.services} columns={columns} rows={services} keyOf={({ service }) => service} />;
}
