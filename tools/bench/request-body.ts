import { randomUUID } from 'node:crypto';

/** A create that is like no other. */
export interface NewRequest {
  readonly id: string;
  readonly body: string;
}

export interface MadeRequests {
  readonly type?: 'access' | 'erasure';
  readonly callbackUrl?: (id: string) => string;
}

/** Requests of a fresh id and identity each. Making one costs a few joins of text, because their maker shares the machine. */
export function requestMaker(submittedAt: Date, { type = 'access', callbackUrl }: MadeRequests = {}): () => NewRequest {
  const before = `{"regulation":"gdpr","subject_request_id":"`;
  const middle = `","subject_request_type":"${type}","submitted_time":"${submittedAt.toISOString()}","api_version":"2.0","subject_identities":[{"identity_type":"email","identity_value":"`;
  const after = `@bench.example","identity_format":"raw"}]`;
  return () => {
    const id = randomUUID();
    const callbacks = callbackUrl ? `,"status_callback_urls":["${callbackUrl(id)}"]` : '';
    return { id, body: `${before}${id}${middle}${id}${after}${callbacks}}` };
  };
}
