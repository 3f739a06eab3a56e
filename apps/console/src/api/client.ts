import createClient from 'openapi-fetch';
import type { paths } from './operator';
import { watchAttention } from './attended';
import { problemOf } from './problem';
import { doubtsSession } from './session-doubt';

const CSRF_HEADER = 'x-csrf-token';
/** Such a call does not keep the session. */
const BACKGROUND_HEADER = 'x-background';

const isAttended = watchAttention(globalThis);
let csrfToken: string | null = null;
let sessionDoubted = (): void => undefined;

/** `ask` is called after each answer that shows that the session has ended, or is another one. */
export function onSessionDoubt(ask: () => void): void {
  sessionDoubted = ask;
}

/** Every change by the session carries its token from now on. */
export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** What a call says of itself while nobody sits before the page. */
export const backgroundHeaders = (): Readonly<Record<string, string>> =>
  isAttended() ? {} : { [BACKGROUND_HEADER]: '1' };

/** The operator's API. Every answer that is no success is thrown as a `Problem`. */
export const api = createClient<paths>({ baseUrl: location.origin });

api.use({
  onRequest({ request }) {
    if (csrfToken !== null && request.method !== 'GET') request.headers.set(CSRF_HEADER, csrfToken);
    for (const [name, value] of Object.entries(backgroundHeaders())) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response, schemaPath }) {
    if (response.ok) return;
    const problem = await problemOf(response);
    if (doubtsSession(schemaPath, problem)) sessionDoubted();
    throw problem;
  },
});

/** The body of an answer; a call that succeeds has one. */
export async function bodyOf<T>(call: Promise<{ readonly data?: T; readonly response: Response }>): Promise<T> {
  const { data, response } = await call;
  if (data === undefined) throw await problemOf(response);
  return data;
}

/** The body of an answer with its entity tag, which a change of what it shows names. */
export async function readTagged<T>(call: Promise<{ readonly data?: T; readonly response: Response }>) {
  const answer = await call;
  return { body: await bodyOf(Promise.resolve(answer)), tag: answer.response.headers.get('etag') ?? '' };
}

/** The answer of a change, after what it changed was read again; also after a refusal, because it may have changed meanwhile. */
export async function readingAgain<T>(change: Promise<T>, read: () => Promise<void>): Promise<T> {
  try {
    return await change;
  } finally {
    await read();
  }
}
