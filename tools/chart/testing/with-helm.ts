import { findHelm, Helm } from '../helm';

const program = findHelm(process.env);
if (program === undefined)
  console.log('No helm (DSR_TEST_HELM, PATH, ../tools beside DSR_TEST_SERVERS): what renders the chart did not run.');

/** Specs that render the chart; where there is no helm they are skipped, and said to be. */
export const describeWithHelm = program === undefined ? describe.skip : describe;

export const helm = new Helm(program ?? 'helm');
