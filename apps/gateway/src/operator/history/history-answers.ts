import type { Shape } from '@opendsr-service/contracts';
import { cursorOf, textCursor } from '../lists/cursor';
import type { PageOf } from '../lists/page-of';
import type { OPERATOR_HISTORY_ENTRY, OPERATOR_LOG_ENTRIES } from './history-schemas';
import type { HistoryEntry } from './history-entry';
import { LOG_ENTRIES, type LoggedEntry } from './log-entries';
import type { HistoryPage } from './request-history';

/** Names the story in its cursors. */
export const HISTORY_ORDER = 'events';

const entryAnswer = ({ id, at, kind, facts }: HistoryEntry): Shape<typeof OPERATOR_HISTORY_ENTRY> => ({
  ...{ id, time: at.toISOString(), kind, facts },
});

export const historyAnswer = ({ entries, next, unavailable }: HistoryPage) => ({
  events: entries.map(entryAnswer),
  next_cursor: next ? cursorOf(HISTORY_ORDER, next) : null,
  unavailable,
});

export const logEntriesAnswer = ({ items, last }: PageOf<LoggedEntry>): Shape<typeof OPERATOR_LOG_ENTRIES> => ({
  entries: items.map(({ index, entry: { kind, at, digest, dueAt }, isCovered }) => ({
    ...{ index, kind, time: at, digest, due_time: dueAt ?? null, is_covered: isCovered },
  })),
  next_cursor: last ? textCursor(LOG_ENTRIES, String(last.index)) : null,
});
