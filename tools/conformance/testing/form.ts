/** Whether the plain specs run in their full form; the suite knows no other tool. */
const FULL = process.env.DSR_UNIT === 'full';

/** What only the full form runs. */
export const itInFull = FULL ? it : it.skip;

/** The rows of a table of cases: all in the full form, else the first and each `step`th after it. */
export const representative = <T>(rows: readonly T[], step: number): readonly T[] =>
  FULL ? rows : rows.filter((_row, n) => n % step === 0);
