/** Whether the suites run in their full form: `npm run e2e`, `npm run test:full`. Else they run their representative half. */
export const FULL = process.env.DSR_E2E === 'full';

/** What only the full form runs. */
export const describeInFull = FULL ? describe : describe.skip;
export const itInFull = FULL ? it : it.skip;
