import type { Shape } from '@opendsr-service/contracts';
import type { OPERATOR_HISTORY_ENTRY } from './history-schemas';

type Entry = Shape<typeof OPERATOR_HISTORY_ENTRY>;

/** What is known of an entry; which of these, its kind says. No personal data. */
export type HistoryFacts = Entry['facts'];

/** Something that happened to a request. `id` names it within the request. */
export interface HistoryEntry extends Pick<Entry, 'id' | 'kind' | 'facts'> {
  readonly at: Date;
}
