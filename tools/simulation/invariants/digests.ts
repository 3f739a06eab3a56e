import { createHash } from 'node:crypto';
import type { FinalState } from '../final-state';
import type { History } from '../history';

/** Of events, each once however often it came into the log. */
export const distinctDigests = (events: History['events']): string[] => [
  ...new Set(events.map(({ record }) => createHash('sha256').update(record.value).digest('base64url'))),
];

/** Of the leaves of a kind, as often as they stand in the public log. */
export const digestsOf = ({ leaves }: FinalState, kind: string): string[] =>
  leaves
    .map(({ entry }) => JSON.parse(entry) as { kind: string; digest: string })
    .flatMap((leaf) => (leaf.kind === kind ? leaf.digest : []));
