import { Fragment, type ReactNode } from 'react';
import { utcOf } from '../../../language/formats';
import { useFormats, useTexts } from '../../../language/language-context';
import { wordOf } from '../../../language/texts';
import { Id } from '../../../parts/id';
import { requestWords } from '../../../requests/texts';
import type { HistoryEntry } from '../queries';
import { timeLineTexts } from './texts';

/** What is known of an entry, as one line. What its kind does not have is left out. */
export function useDetails(): (entry: HistoryEntry) => ReactNode {
  const t = useTexts(timeLineTexts);
  const words = useTexts(requestWords);
  const { count, milliseconds, time } = useFormats();
  return ({ facts }) => {
    const { request_status: status, outcome, until, attempt, duration_ms: duration, http_status: http } = facts;
    const { participant_status: share } = facts;
    const parts = [
      facts.participant,
      share !== undefined && wordOf(words.share, share),
      codeOf(facts.action),
      codeOf(facts.command),
      facts.role,
      status && words.status[status],
      attempt !== undefined && t.attempt(count(attempt)),
      outcome && t.outcomes[outcome],
      http !== undefined && `HTTP ${http}`,
      duration !== undefined && milliseconds(duration),
      until !== undefined && `${t.until} ${time(until)} (${utcOf(until)})`,
      facts.statement !== undefined && t.statement(count(facts.statement)),
      codeOf(facts.topic),
      codeOf(facts.reason),
    ];
    return parts
      .filter((part) => part !== undefined && part !== false)
      .map((part, at) => (
        <Fragment key={at}>
          {at > 0 && ', '}
          {part}
        </Fragment>
      ));
  };
}

/** A word of the API. */
const codeOf = (word: string | undefined): ReactNode => word !== undefined && <Id id={word} />;
