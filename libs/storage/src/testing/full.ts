/** Whether the plain specs or the int suite run in their full form. */
export const FULL = process.env.DSR_UNIT === 'full' || process.env.DSR_INT === 'full';

/** What the other suite shows in each run, or what a few cases stand for: only the full forms run it. */
export const describeInFull = (...suite: Parameters<typeof describe>): void =>
  (FULL ? describe : describe.skip)(...suite);
export const itInFull = (...test: Parameters<typeof it>): void => (FULL ? it : it.skip)(...test);

/** The rows of a table of cases: all in the full forms, else the first and each `step`th after it. */
export const representative = <T>(rows: readonly T[], step = 3): readonly T[] =>
  FULL ? rows : rows.filter((_row, n) => n % step === 0);
