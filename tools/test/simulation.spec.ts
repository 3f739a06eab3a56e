import { nothing, reportedTally } from './tally';

const well = { passed: 13, failed: 0, failures: [] };
const badly = { passed: 12, failed: 1, failures: [{ name: 'simulation finds: no slot index' }] };

it('counts what the simulation reports', () => {
  expect(reportedTally('simulation', true, JSON.stringify(well))).toEqual({ ...nothing, ...well });
  expect(reportedTally('simulation', false, JSON.stringify(badly))).toEqual({ ...nothing, ...badly });
});

it.each([
  ['without a report', undefined],
  ['although it reports no failure', JSON.stringify(well)],
])('a simulation that ends badly %s is a failure', (_how, text) => {
  expect(reportedTally('simulation', false, text).failed).toBe(1);
});
