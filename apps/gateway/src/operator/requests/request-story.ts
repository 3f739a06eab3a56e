import type { RequestDocument } from '../../admission/request.document';

/** `lost`: the key does not exist, and the gateway has not destroyed it. */
type KeyState = 'alive' | 'destroyed' | 'lost';

/** One request with what is known of it, without personal data. */
export interface RequestStory {
  readonly request: RequestDocument;
  /** How many requests its group has. Undefined: it has no group. */
  readonly groupSize: number | undefined;
  readonly key: KeyState;
}
