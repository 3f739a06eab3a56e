import { ProgressStep, ProgressStepper } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../../language/language-context';
import { UnavailableNote } from '../../../lists/unavailable-note';
import { Loading } from '../../../parts/loading';
import { ProblemState } from '../../../parts/problem-state';
import { Section } from '../../../parts/section';
import { Time } from '../../../parts/time';
import { eventsQuery, type HistoryEntry } from '../queries';
import { ReadMore } from '../read-more';
import { type Which } from '../../../requests/request-query';
import { timeLineTexts } from './texts';
import { useDetails } from './use-details';

const BAD_OUTCOMES: readonly (string | undefined)[] = ['rejected', 'gone', 'unreachable'];

function variantOf({ kind, facts }: HistoryEntry): 'success' | 'warning' | 'danger' | 'pending' | 'info' {
  if (kind === 'parked') return 'danger';
  if (BAD_OUTCOMES.includes(facts.outcome)) return 'warning';
  if (kind === 'command_waiting') return 'pending';
  return kind === 'completed' || kind === 'attested' || facts.outcome === 'delivered' ? 'success' : 'info';
}

/** Everything that happened to a request, the earliest first. */
export function TimeLine({ which }: { readonly which: Which }) {
  const t = useTexts(timeLineTexts);
  const details = useDetails();
  const query = useInfiniteQuery(eventsQuery(which));
  const { data, error, isPending, refetch } = query;
  const entries = data?.pages.flatMap(({ events }) => events) ?? [];
  const unavailable = [...new Set(data?.pages.flatMap((page) => page.unavailable))].sort();
  return (
    <Section title={t.title}>
      <UnavailableNote services={unavailable} />
      {isPending && <Loading />}
      {error && <ProblemState error={error} onRetry={() => void refetch()} isAboveOld={data !== undefined} />}
      <ProgressStepper isVertical isCompact={false} aria-label={t.title}>
        {entries.map((entry) => (
          <ProgressStep
            key={entry.id}
            id={`entry-${entry.id}`}
            titleId={`entry-title-${entry.id}`}
            variant={variantOf(entry)}
            description={details(entry)}
          >
            {t.kinds[entry.kind]} <Time at={entry.time} />
          </ProgressStep>
        ))}
      </ProgressStepper>
      <ReadMore query={query} />
    </Section>
  );
}
