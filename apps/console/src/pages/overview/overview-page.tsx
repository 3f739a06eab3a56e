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
        <Figure
          title={t.overdue}
          value={shown(data?.overdue)}
          to="/requests?overdue=true"
          tone={data?.overdue ? 'danger' : 'good'}
        />
        <Figure
          title={t.week}
          value={shown(data?.due_within_week)}
          to="/requests?due_within=7d"
          tone={data?.due_within_week ? 'warning' : undefined}
        />
        <Figure
          title={t.atRisk}
          value={shown(data?.at_risk)}
          to="/requests?order=due"
          tone={data?.at_risk ? 'warning' : undefined}
        />
        <Figure title={t.open} value={shown(data?.open)} to="/requests?order=due" />
        <Figure title={t.pending} value={shown(data?.pending)} to="/requests?status=pending" />
        <Figure title={t.inProgress} value={shown(data?.in_progress)} to="/requests?status=in_progress" />
      </Gallery>
    </Page>
  );
}
