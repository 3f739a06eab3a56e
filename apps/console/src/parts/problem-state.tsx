import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { asProblem, type Problem } from '../api/problem';
import { useTexts } from '../language/language-context';
import { partsTexts } from './texts';

type Words = ReturnType<typeof useTexts<(typeof partsTexts)['en']>>['problem'];

/** What went wrong, and what the viewer can do about it. */
export function ProblemState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTexts(partsTexts);
  const problem = asProblem(error);
  const [title, help] = wordsOf(problem, t.problem);
  return (
    <EmptyState titleText={title} headingLevel="h2" status="warning" variant="sm">
      <EmptyStateBody>
        <p>{help}</p>
        {problem.requestId !== undefined && <p>{t.requestId(problem.requestId)}</p>}
      </EmptyStateBody>
      {onRetry && (
        <EmptyStateFooter>
          <EmptyStateActions>
            <Button variant="primary" onClick={onRetry}>
              {t.retry}
            </Button>
          </EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

function wordsOf({ status, message, retryAfterSeconds = 30 }: Problem, words: Words): readonly [string, string] {
  switch (status) {
    case 0:
      return [words.offline, words.offlineHelp];
    case 403:
      return [words.forbidden, words.forbiddenHelp];
    case 404:
      return [words.missing, words.missingHelp];
    case 429:
      return [words.busy, words.busyHelp(retryAfterSeconds)];
    case 502:
    case 503:
    case 504:
      return [words.away, words.awayHelp];
    default:
      return [words.other, `${words.otherHelp} ${message}`];
  }
}
