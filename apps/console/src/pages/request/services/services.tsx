import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../../language/language-context';
import { wordOf } from '../../../language/texts';
import { UnavailableNote } from '../../../lists/unavailable-note';
import { Facts } from '../../../parts/facts';
import { QueryState } from '../../../parts/query-state';
import { Section } from '../../../parts/section';
import { Time } from '../../../parts/time';
import type { Which } from '../../../requests/request-query';
import { requestWords } from '../../../requests/texts';
import { statesQuery, type ServiceStates } from '../queries';
import { Queues } from './queues';
import { serviceTexts } from './texts';

type Of<S extends keyof ServiceStates> = NonNullable<ServiceStates[S]>;

/** What each service holds about a request: its part of the work, and when it goes on. */
export function Services({ which }: { readonly which: Which }) {
  const t = useTexts(serviceTexts);
  return (
    <Section title={t.title}>
      <QueryState query={useQuery(statesQuery(which))}>
        {({ services, unavailable }) => (
          <>
            <UnavailableNote services={unavailable} />
            {services.request && <Decisions state={services.request} />}
            {services['callback-dispatcher'] && <Queues state={services['callback-dispatcher']} />}
            {services.results?.archive && <Archive archive={services.results.archive} />}
            {services.results?.withdrawal && <Withdrawal withdrawal={services.results.withdrawal} />}
            {services.ingestion && <Erasure erasure={services.ingestion.erasure} />}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function Decisions({ state }: { readonly state: Of<'request'> }) {
  const { request: t } = useTexts(serviceTexts);
  const { status: statuses } = useTexts(requestWords);
  const { count } = useFormats();
  const awaited = state.participants.filter(({ status }) => status === 'awaited').map(({ name }) => name);
  return (
    <>
      <h3>{t.title}</h3>
      <Facts
        facts={[
          [t.status, wordOf({ ...statuses, fulfilled: t.fulfilled }, state.status)],
          [t.version, count(state.event_version)],
          [t.unpublished, count(state.unpublished_events.length)],
          [t.awaited, awaited.join(', ') || t.nobody],
        ]}
      />
    </>
  );
}

function Archive({ archive }: { readonly archive: NonNullable<Of<'results'>['archive']> }) {
  const { archive: t, work } = useTexts(serviceTexts);
  const { count } = useFormats();
  return (
    <>
      <h3>{t.title}</h3>
      <Facts
        facts={[
          [t.state, wordOf(t.states, archive.state)],
          [work.matched, archive.matched_profiles === null ? null : count(archive.matched_profiles)],
          [t.size, count(archive.bytes)],
          [t.built, <Time at={archive.built_time} />],
          [t.expires, <Time at={archive.expires_time} />],
          [t.removed, <Time at={archive.sweep_time} />],
          [work.due, <Time at={archive.due_time} />],
          [work.tries, count(archive.tries)],
        ]}
      />
    </>
  );
}

function Withdrawal({ withdrawal }: { readonly withdrawal: NonNullable<Of<'results'>['withdrawal']> }) {
  const { withdrawal: t, work } = useTexts(serviceTexts);
  const { count } = useFormats();
  return (
    <>
      <h3>{t.title}</h3>
      <Facts
        facts={[
          [t.profiles, count(withdrawal.profiles)],
          [work.passes, count(withdrawal.passes)],
          [work.due, <Time at={withdrawal.due_time} />],
          [work.tries, count(withdrawal.tries)],
        ]}
      />
    </>
  );
}

function Erasure({ erasure }: { readonly erasure: Of<'ingestion'>['erasure'] }) {
  const { erasure: t, work, yes, no } = useTexts(serviceTexts);
  const { count } = useFormats();
  return (
    <>
      <h3>{t.title}</h3>
      <Facts
        facts={[
          [work.matched, erasure.matched_profiles === null ? null : count(erasure.matched_profiles)],
          [work.passes, count(erasure.passes)],
          [t.reported, erasure.is_reported ? yes : no],
          [t.completed, erasure.is_completed ? yes : no],
          [work.due, <Time at={erasure.due_time} />],
          [work.tries, count(erasure.tries)],
        ]}
      />
    </>
  );
}
