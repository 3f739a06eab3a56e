import { useFormats, useTexts } from '../../../language/language-context';
import { wordOf } from '../../../language/texts';
import { PlainTable } from '../../../lists/plain-table';
import { idColumn, timeColumn } from '../../../lists/column';
import type { ServiceStates } from '../queries';
import { serviceTexts } from './texts';

type Queue = NonNullable<ServiceStates['callback-dispatcher']>['destinations'][number];

/** What waits for each callback URL. */
export function Queues({ state }: { readonly state: NonNullable<ServiceStates['callback-dispatcher']> }) {
  const { queues: t } = useTexts(serviceTexts);
  const { count } = useFormats();
  return (
    <>
      <h3>{t.title}</h3>
      <PlainTable
        name={t.title}
        rows={state.destinations}
        keyOf={({ destination }) => destination}
        columns={[
          { title: t.waiting, text: ({ waiting }) => count(waiting.length) },
          timeColumn(t.next, (queue: Queue) => queue.next_attempt_time),
          { title: t.failed, text: (queue) => count(queue.failed_attempts) },
          { title: t.standing, text: (queue) => t.standings[standingOf(queue)] },
          { title: t.outcome, text: ({ outcome }) => (outcome === null ? '–' : wordOf(t.outcomes, outcome)) },
          idColumn(t.destination, { id: ({ destination }: Queue) => destination }),
        ]}
      />
    </>
  );
}

function standingOf({ gone_time: gone, is_claimed: isClaimed, is_postponed: isPostponed }: Queue) {
  if (gone !== null) return 'gone';
  if (isClaimed) return 'sending';
  return isPostponed ? 'postponed' : 'idle';
}
