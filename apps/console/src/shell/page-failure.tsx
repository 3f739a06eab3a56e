import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { Link, useRouteError } from 'react-router';
import { Problem } from '../api/problem';
import { useTexts } from '../language/language-context';
import { Page } from '../parts/page';
import { useProblemWords } from '../parts/use-problem-words';
import { shellTexts } from './texts';

/** What a path that no page has fails with. */
export class UnknownPage extends Error {}

/** In place of a page that does not exist, or whose code failed. */
export function PageFailure() {
  const t = useTexts(shellTexts);
  const error = useRouteError();
  const wordsOf = useProblemWords();
  const isUnknown = error instanceof UnknownPage;
  const failed = [t.broken, `${t.brokenHelp} ${error instanceof Error ? error.message : ''}`] as const;
  const known = error instanceof Problem ? wordsOf(error) : failed;
  const [title, help] = isUnknown ? [t.unknownPage, t.unknownPageHelp] : known;
  return (
    <Page title={title}>
      <EmptyState titleText={title} headingLevel="h2" status="warning">
        <EmptyStateBody>{help}</EmptyStateBody>
        <EmptyStateFooter>
          <EmptyStateActions>
            {isUnknown ? (
              <Link to="/">{t.pages.overview}</Link>
            ) : (
              <Button onClick={() => location.reload()}>{t.reload}</Button>
            )}
          </EmptyStateActions>
        </EmptyStateFooter>
      </EmptyState>
    </Page>
  );
}
