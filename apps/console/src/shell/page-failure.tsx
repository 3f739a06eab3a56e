import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { Link, useRouteError } from 'react-router';
import { useTexts } from '../language/language-context';
import { Page } from '../parts/page';
import { shellTexts } from './texts';

/** What a path that no page has fails with. */
export class UnknownPage extends Error {}

/** In place of a page that does not exist, or whose code failed. */
export function PageFailure() {
  const t = useTexts(shellTexts);
  const error = useRouteError();
  const isUnknown = error instanceof UnknownPage;
  const title = isUnknown ? t.unknownPage : t.broken;
  return (
    <Page title={title}>
      <EmptyState titleText={title} headingLevel="h2" status="warning">
        <EmptyStateBody>
          {isUnknown ? t.unknownPageHelp : `${t.brokenHelp} ${error instanceof Error ? error.message : ''}`}
        </EmptyStateBody>
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
