import { useFormats, useTexts } from '../../../language/language-context';
import { Time } from '../../../parts/time';
import type { Callback } from '../queries';
import { timeLineTexts } from '../time-line/texts';

/** How often a callback was tried, and what came of the last attempts. */
export function Attempts({ callback: { attempt_count: all, attempts } }: { readonly callback: Callback }) {
  const { outcomes } = useTexts(timeLineTexts);
  const { count, milliseconds } = useFormats();
  if (attempts.length === 0) return <>{count(all)}</>;
  return (
    <details>
      <summary>{count(all)}</summary>
      <ol className="console-attempts" start={attempts[0]?.attempt}>
        {attempts.map(({ attempt, time, outcome, http_status: status, duration_ms: duration }) => (
          <li key={attempt}>
            <Time at={time} />: {outcomes[outcome]}
            {status !== null && `, HTTP ${status}`}
            {duration !== null && `, ${milliseconds(duration)}`}
          </li>
        ))}
      </ol>
    </details>
  );
}
