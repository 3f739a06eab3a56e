import { readSettings, type Environment } from '@opendsr-service/config';
import { KEY_CACHE_MS } from '@opendsr-service/vault';
import { checkResults, resultsTable } from './results.config';

describe('the time between the two passes of an erasure', () => {
  const read = (environment: Environment) => readSettings(resultsTable, environment);
  const faults = (environment: Environment) =>
    checkResults(read(environment)).filter((fault) => fault.startsWith('ERASURE_SECOND_PASS_MS'));

  it('defaults to twice the time for which a process may cache a destroyed key', () => {
    expect(read({}).ERASURE_SECOND_PASS_MS).toBe(2 * KEY_CACHE_MS);
  });

  it('must not be shorter than that in the production profile', () => {
    const line =
      'ERASURE_SECOND_PASS_MS: must be at least 1min in the production profile, for so long processes may hold the key of somebody erased';
    expect(faults({ ERASURE_SECOND_PASS_MS: String(KEY_CACHE_MS - 1) })).toEqual([line]);
    expect([
      faults({ ERASURE_SECOND_PASS_MS: String(KEY_CACHE_MS) }),
      faults({ TIMING_PROFILE: 'sandbox', ERASURE_SECOND_PASS_MS: '1s' }),
      faults({}),
    ]).toEqual([[], [], []]);
  });
});
