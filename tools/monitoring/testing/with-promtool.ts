import { findPromtool, Promtool } from '../promtool';

const program = findPromtool(process.env);
if (program === undefined)
  console.log(
    'No promtool (DSR_TEST_PROMTOOL, PATH, reports/promtool by tools/monitoring/get-promtool.sh): the ' +
      'alert rules were not tried on series.',
  );

/** Specs that ask Prometheus's own tool; where there is none they are skipped, and said to be. */
export const describeWithPromtool = program === undefined ? describe.skip : describe;

export const promtool = new Promtool(program ?? 'promtool');
