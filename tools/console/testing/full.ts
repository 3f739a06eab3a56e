import type { Rule } from './world';

/** Whether the suite runs in its full form: `npm run console`, `npm run test:full`. */
export const FULL = process.env.DSR_CONSOLE === 'full';

/** Defines what only the full form runs. */
export const inFull = (rule: Rule): Rule => (FULL ? rule : (title) => it.skip(title, () => undefined));
