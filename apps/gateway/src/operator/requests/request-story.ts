import type { factsOf } from '../../admin/request-facts.store';
import type { RequestDocument } from '../../admission/request.document';

/** What `dsr requests show` knows of a request from the gateway. */
export type RequestFacts = Awaited<ReturnType<typeof factsOf>>;

/** `lost`: the key does not exist, and the gateway has not destroyed it. */
export type KeyState = 'alive' | 'destroyed' | 'lost';

/** One request with what is known of it, without personal data. */
export interface RequestStory {
  readonly request: RequestDocument;
  readonly facts: RequestFacts;
  readonly key: KeyState;
}
