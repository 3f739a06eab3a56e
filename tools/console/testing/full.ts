/** Whether the suite runs in its full form: `npm run console`, `npm run test:full`. */
export const FULL = process.env.DSR_CONSOLE === 'full';
