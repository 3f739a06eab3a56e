import { FULL } from '../../testing/form';
import { findHelm, Helm } from '../helm';

const program = findHelm(process.env);
if (program === undefined)
  console.log('No helm (DSR_TEST_HELM, PATH, ../tools beside DSR_TEST_SERVERS): what renders the chart did not run.');

/** Specs that render the chart; without helm they are skipped with a message. */
export const describeWithHelm = program === undefined ? describe.skip : describe;

/** Those that only the full form runs. */
export const describeWithHelmInFull = FULL ? describeWithHelm : describe.skip;

export const helm = new Helm(program ?? 'helm');
