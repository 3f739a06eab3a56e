import { Gallery } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { useFormats, useTexts } from '../../language/language-context';
import { UnavailableNote } from '../../lists/unavailable-note';
import { Figure } from '../../parts/figure';
import { Page } from '../../parts/page';
import { ProblemState } from '../../parts/problem-state';
import { Section } from '../../parts/section';
import { FIGURES, isCountedOut, PARTS, toneOf, type Numbers, type PartName, type Shown } from './figures';
import { overviewTexts } from './texts';

/** What is no request changes without an event that says so. */
const READ_EVERY_MS = 30_000;
/** With its library, for which the first page does not wait. */
const ThroughputChart = lazy(() => import('./throughput-chart'));

/** How the service stands: every number leads to its list. */
export default function OverviewPage() {
  const t = useTexts(overviewTexts);
  const counts = useQuery({
    queryKey: ['request-counts'],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/request-counts', { signal })),
  });
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/overview', { signal })),
    refetchInterval: READ_EVERY_MS,
  });
  const numbers: Numbers = { counts: counts.data, overview: overview.data };
  const failed = [counts, overview].find(({ error }) => error !== null);
  return (
    <Page title={t.title} isLoading={counts.isPending || overview.isPending}>
      {failed && (
        <ProblemState
          error={failed.error}
          onRetry={() => void failed.refetch()}
          isAboveOld={failed.data !== undefined}
        />
      )}
      <UnavailableNote services={overview.data?.unavailable ?? []} />
      <div className="console-sections">
        {PARTS.map((part) => (
          <Part key={part} part={part} numbers={numbers}>
            {part === 'throughput' && overview.data && (
              <Suspense fallback={<div className="console-chart" aria-busy="true" />}>
                <ThroughputChart days={overview.data.days} />
              </Suspense>
            )}
          </Part>
        ))}
      </div>
    </Page>
  );
}

interface PartProps {
  readonly part: PartName;
  readonly numbers: Numbers;
  readonly children?: ReactNode;
}

/** Numbers that the roles of the viewer do not reach are left out. */
function Part({ part, numbers, children }: PartProps) {
  const t = useTexts(overviewTexts);
  const { count } = useFormats();
  const shown: readonly Shown[] = FIGURES[part];
  const reached = shown.map((one) => ({ ...one, number: one.of(numbers) })).filter(({ number }) => number !== null);
  if (reached.length === 0) return null;
  const written = (number: number | null | undefined): string | undefined => {
    if (number === undefined || number === null) return undefined;
    return isCountedOut(part, number) ? t.more(count(number)) : count(number);
  };
  return (
    <Section title={t.parts[part]}>
      <Gallery hasGutter minWidths={{ default: '12rem' }}>
        {reached.map(({ name, to, number, limits }) => (
          <Figure key={name} title={t.figures[name]} value={written(number)} to={to} tone={toneOf(number, limits)} />
        ))}
      </Gallery>
      {children}
    </Section>
  );
}
