import type { Page } from 'playwright-core';
import { SANDBOX } from '../../e2e/operator';
import { until } from '../../receiver/until';
import { ask } from './ask-operator';

interface Story {
  readonly event_version: number;
  readonly waiting_commands: readonly object[];
}

/** The first event of a request. */
export const RECEIVED = 1;
/** The request was received and started, and our results service and a participant reported. */
export const ALL_REPORTED = 4;

/** What is decided about a request that has changed meanwhile is refused. `version`: of the last event that comes by itself. */
export const untilSettled = (page: Page, id: string, version: number) =>
  until('the last event of the request', async () => {
    const { body } = await ask<Story>(page, `/requests/${SANDBOX}/${id}`);
    return body.event_version === version && body.waiting_commands.length === 0;
  });
