import { Gallery } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useFormats, useTexts } from '../../language/language-context';
import { Figure } from '../../parts/figure';
import { Page } from '../../parts/page';
import { ProblemState } from '../../parts/problem-state';
import { overviewTexts } from './texts';

/** Counts of the API stop there. */
const MOST_COUNTED = 10_000;

interface Shown {
  readonly name: 'overdue' | 'due_within_week' | 'at_risk' | 'open' | 'pending' | 'in_progress';
  readonly to: string;
  /** What a number above zero means. */
  readonly alarm?: 'danger' | 'warning';
}

/** The numbers, the urgent ones first, each with the list that it counts. */
const FIGURES: readonly Shown[] = [
  { name: 'overdue', to: '/requests?overdue=true', alarm: 'danger' },
  { name: 'due_within_week', to: '/requests?due_within=7d', alarm: 'warning' },
  { name: 'at_risk', to: '/requests?order=due', alarm: 'warning' },
  { name: 'open', to: '/requests?order=due' },
  { name: 'pending', to: '/requests?status=pending' },
  { name: 'in_progress', to: '/requests?status=in_progress' },
];

const toneOf = (count: number | undefined, alarm: 'danger' | 'warning') => {
  if (count === undefined) return undefined;
  return count === 0 ? 'good' : alarm;
};

/** How the service stands: every number leads to its list. */
export default function OverviewPage() {
  const t = useTexts(overviewTexts);
  const { count } = useFormats();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['request-counts'],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/request-counts', { signal })),
  });
  const shown = (n: number | undefined): string | undefined => {
    if (n === undefined) return undefined;
    return n >= MOST_COUNTED ? t.more(count(n)) : count(n);
  };
  return (
    <Page title={t.title} isLoading={isPending}>
      {error && <ProblemState error={error} onRetry={() => void refetch()} />}
      <Gallery hasGutter minWidths={{ default: '14rem' }}>
        {FIGURES.map(({ name, to, alarm }) => (
          <Figure
            key={name}
            title={t[name]}
            value={shown(data?.[name])}
            to={to}
            tone={alarm && toneOf(data?.[name], alarm)}
          />
        ))}
      </Gallery>
    </Page>
  );
}
