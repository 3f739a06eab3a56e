import { Alert } from '@patternfly/react-core';
import { useFormats, useTexts } from '../../language/language-context';
import { timeColumn, type Column } from '../../lists/column';
import { PlainTable } from '../../lists/plain-table';
import { Section } from '../../parts/section';
import { StateLabel } from '../../parts/state-label';
import { lagsOf, waitingOf, type GroupLag, type Service, type Topic, type Waiting } from './system';
import { systemTexts } from './texts';

interface OfServices {
  readonly services: readonly Service[];
}

interface PartProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

function Part<Row>({ title, columns, rows, keyOf }: PartProps<Row>) {
  const { nothing } = useTexts(systemTexts);
  return (
    <Section title={title}>
      {rows.length === 0 ? <p>{nothing}</p> : <PlainTable name={title} columns={columns} rows={rows} keyOf={keyOf} />}
    </Section>
  );
}

/** How far consumers are behind. */
export function Groups({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { count } = useFormats();
  const columns: readonly Column<GroupLag>[] = [
    { title: t.group, text: ({ group }) => group },
    { title: t.topic, text: ({ topic }) => topic },
    { title: t.lag, text: ({ lag }) => count(lag) },
    { title: t.groupState, text: ({ state }) => state },
    { title: t.service, text: ({ service }) => service },
  ];
  return (
    <Part
      title={t.groups}
      columns={columns}
      rows={lagsOf(services)}
      keyOf={({ group, topic }) => `${group} ${topic}`}
    />
  );
}

/** What should have been sent or done by now. */
export function Outboxes({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { duration } = useFormats();
  const columns: readonly Column<Waiting>[] = [
    { title: t.what, text: ({ what }) => what },
    { title: t.oldest, text: ({ seconds }) => (seconds === 0 ? t.none : duration(seconds)) },
    { title: t.service, text: ({ service }) => service },
  ];
  return (
    <Part
      title={t.outboxes}
      columns={columns}
      rows={waitingOf(services)}
      keyOf={({ service, what }) => `${service} ${what}`}
    />
  );
}

interface Certificate {
  readonly service: string;
  readonly version: string;
  readonly ends_time: string;
  readonly days_left: number;
}

const SOON_DAYS = 30;

/** How long certificates last. */
export function Certificates({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { count } = useFormats();
  const columns: readonly Column<Certificate>[] = [
    { title: t.what, text: ({ version }) => t.certificateOf(version) },
    timeColumn(t.ends, (row) => row.ends_time),
    {
      title: t.state,
      text: ({ days_left: days }) => t.days(count(days)),
      cell: ({ days_left: days }) => (
        <StateLabel status={days < SOON_DAYS ? 'warning' : 'success'}>{t.days(count(days))}</StateLabel>
      ),
    },
    { title: t.service, text: ({ service }) => service },
  ];
  const rows = services.flatMap(({ service, certificates }) => certificates.map((one) => ({ service, ...one })));
  return (
    <Part
      title={t.certificates}
      columns={columns}
      rows={rows}
      keyOf={({ service, version }) => `${service} ${version}`}
    />
  );
}

/** Whether the topics are as the service wants them. Null: the event log did not answer. */
export function Topics({ topics }: { readonly topics: readonly Topic[] | null }) {
  const t = useTexts(systemTexts);
  const stateOf = ({ exists, differences }: Topic): string => {
    if (!exists) return t.topicState.missing;
    return differences.length === 0 ? t.topicState.there : differences.join(', ');
  };
  const columns: readonly Column<Topic>[] = [
    { title: t.topic, text: ({ name }) => name },
    {
      title: t.state,
      text: stateOf,
      cell: (row) => (
        <StateLabel status={row.exists && row.differences.length === 0 ? 'success' : 'danger'}>
          {stateOf(row)}
        </StateLabel>
      ),
    },
  ];
  if (topics === null)
    return (
      <Section title={t.topics}>
        <Alert isInline variant="warning" title={t.topicsUnknown} />
      </Section>
    );
  return <Part title={t.topics} columns={columns} rows={topics} keyOf={({ name }) => name} />;
}
