import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { asProblem } from '../api/problem';
import { useTexts } from '../language/language-context';
import { partsTexts } from './texts';
import { useProblemWords } from './use-problem-words';

interface ProblemStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Whether what was read before stands below. */
  readonly isAboveOld?: boolean;
}

/** What went wrong, and what the viewer can do about it. */
export function ProblemState({ error, onRetry, isAboveOld = false }: ProblemStateProps) {
  const t = useTexts(partsTexts);
  const problem = asProblem(error);
  const [title, help] = useProblemWords()(problem);
  return (
    <EmptyState titleText={title} headingLevel="h2" status="warning" variant="sm">
      <EmptyStateBody>
        <p>{help}</p>
        {isAboveOld && <p>{t.old}</p>}
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
