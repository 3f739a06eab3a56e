import { instant, UsageError } from '../options';
import type { LogEntry } from './read-log';

/** From the copy of a database to its restore. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** `FROM/TO`, several between commas. */
export const spans = (text: string): readonly Span[] => text.split(',').map(spanOf);

function spanOf(text: string): Span {
  const [from, to, ...more] = text.split('/').map((time) => instant(time.trim()));
  if (!from || !to || more.length > 0 || from > to)
    throw new UsageError('must be two times, FROM/TO, the earlier first');
  return { from, to };
}

/** What no topic brings back to an older copy: all other documents follow from the event log (docs/backup.md). */
const LOST_WITH_COPIES = ['parked-drop', 'identity-reveal'];

/** Whether a restore has lost the document of a leaf. */
export const isLostIn =
  (restored: readonly Span[]) =>
  ({ kind, at }: Pick<LogEntry, 'kind' | 'at'>): boolean =>
    LOST_WITH_COPIES.includes(kind) &&
    restored.some(({ from, to }) => from.getTime() <= Date.parse(at) && Date.parse(at) <= to.getTime());
