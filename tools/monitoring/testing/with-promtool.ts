import { findPromtool, Promtool } from '../promtool';

const program = findPromtool(process.env);
if (program === undefined)
  console.log(
    'No promtool (DSR_TEST_PROMTOOL, PATH, reports/promtool by tools/monitoring/get-promtool.sh): the ' +
      'alert rules were not tried on series.',
  );

/** Specs that use promtool; without it they are skipped with a message. */
export const describeWithPromtool = program === undefined ? describe.skip : describe;

export const promtool = new Promtool(program ?? 'promtool');
