import type { Page } from 'playwright-core';

interface Asked<T> {
  readonly status: number;
  readonly body: T;
}

const ROOT = '/operator/v1';

/** What the operator's API answers to whoever is signed in on this page of the console. */
export const ask = <T>(page: Page, path: string): Promise<Asked<T>> => call(page, path, '{}');

/** Asks for something that needs a reason. */
export const askBecause = <T>(page: Page, path: string, reason: string): Promise<Asked<T>> =>
  call(
    page,
    path,
    `await fetch('${ROOT}/session').then((session) => session.json()).then(({ csrf_token: token }) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: ${JSON.stringify(JSON.stringify({ reason }))},
    }))`,
  );

const call = <T>(page: Page, path: string, init: string): Promise<Asked<T>> =>
  page.evaluate<Asked<T>>(
    `(async () => {
      const answer = await fetch(${JSON.stringify(`${ROOT}${path}`)}, ${init});
      return { status: answer.status, body: await answer.json() };
    })()`,
  );
