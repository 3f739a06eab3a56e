import { useFormats, useTexts } from '../../language/language-context';
import { timeColumn } from '../../lists/column';
import { TableSection } from '../../lists/table-section';
import { Notice } from '../../parts/notice';
import { Section } from '../../parts/section';
import { StateLabel } from '../../parts/state-label';
import { lagsOf, waitingOf, type Service, type Topic } from './system';
import { systemTexts } from './texts';

interface OfServices {
  readonly services: readonly Service[];
}

/** How far consumers are behind. */
export function Groups({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { count } = useFormats();
  return (
    <TableSection
      title={t.groups}
      empty={t.nothing}
      rows={lagsOf(services)}
      keyOf={({ group, topic }) => `${group} ${topic}`}
      columns={[
        { title: t.group, text: ({ group }) => group },
        { title: t.topic, text: ({ topic }) => topic },
        { title: t.lag, text: ({ lag }) => count(lag) },
        { title: t.groupState, text: ({ state }) => t.groupStates[state] },
        { title: t.service, text: ({ service }) => service },
      ]}
    />
  );
}

/** What should have been sent or done by now. */
export function Outboxes({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { duration } = useFormats();
  return (
    <TableSection
      title={t.outboxes}
      empty={t.nothing}
      rows={waitingOf(services)}
      keyOf={({ service, what }) => `${service} ${what}`}
      columns={[
        { title: t.what, text: ({ what }) => what },
        { title: t.oldest, text: ({ seconds }) => (seconds === 0 ? t.none : duration(seconds)) },
        { title: t.service, text: ({ service }) => service },
      ]}
    />
  );
}

type Certificate = Service['certificates'][number];

const SOON_DAYS = 30;

/** How long certificates last. */
export function Certificates({ services }: OfServices) {
  const t = useTexts(systemTexts);
  const { count } = useFormats();
  return (
    <TableSection
      title={t.certificates}
      empty={t.nothing}
      rows={services.flatMap(({ service, certificates }) => certificates.map((one) => ({ service, ...one })))}
      keyOf={({ service, version }) => `${service} ${version}`}
      columns={[
        { title: t.what, text: ({ version }) => t.certificateOf(version) },
        timeColumn(t.ends, (certificate: Certificate) => certificate.ends_time),
        {
          title: t.state,
          text: ({ days_left: days }) => t.days(count(days)),
          cell: ({ days_left: days }) => (
            <StateLabel status={days < SOON_DAYS ? 'warning' : 'success'}>{t.days(count(days))}</StateLabel>
          ),
        },
        { title: t.service, text: ({ service }) => service },
      ]}
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
  if (topics === null)
    return (
      <Section title={t.topics}>
        <Notice variant="warning" title={t.topicsUnknown} />
      </Section>
    );
  return (
    <TableSection
      title={t.topics}
      empty={t.nothing}
      rows={topics}
      keyOf={({ name }) => name}
      columns={[
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
      ]}
    />
  );
}
