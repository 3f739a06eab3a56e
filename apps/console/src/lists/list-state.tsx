import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../language/language-context';
import { Loading } from '../parts/loading';
import { ProblemState } from '../parts/problem-state';
import { SearchOn } from './search-on';
import type { CursorList } from './use-cursor-list';
import { listTexts } from './texts';

interface ListStateProps<Row> {
  readonly list: CursorList<Row>;
  readonly isFiltered: boolean;
  /** What to say where there is nothing at all. */
  readonly empty: { readonly title: string; readonly help: ReactNode };
  readonly children: ReactNode;
}

/** Shows a list, or why there is none to show. */
export function ListState<Row>({ list, isFiltered, empty, children }: ListStateProps<Row>) {
  const t = useTexts(listTexts);
  const { count } = useFormats();
  const { rows, isLoading, isLoadingMore, hasMore, error, retry } = list;
  if (isLoading) return <Loading />;
  if (rows.length === 0 && error !== null) return <ProblemState error={error} onRetry={retry} />;
  if (rows.length === 0 && !hasMore)
    return (
      <EmptyState titleText={isFiltered ? t.nothingMatches : empty.title} headingLevel="h2" variant="sm">
        <EmptyStateBody>{isFiltered ? t.nothingMatchesHelp : empty.help}</EmptyStateBody>
      </EmptyState>
    );
  return (
    <>
      {children}
      {error !== null && <ProblemState error={error} onRetry={retry} />}
      <SearchOn {...list} />
      <p className="console-count" role="status">
        {isLoadingMore ? t.loadingMore : t.shown(count(rows.length), hasMore)}
      </p>
    </>
  );
}
