import { helpText, readSettings, type Environment } from '@opendsr-service/config';
import { KEY_CACHE_MS } from '@opendsr-service/vault';
import { checkIngestion, checkIntake, ingestionTable, intakeRulesOf } from './ingestion.config';

describe('the settings of the intake', () => {
  it('default to the values of docs/protocol.md', () => {
    expect(intakeRulesOf(readSettings(ingestionTable, {}))).toEqual({
      keyOnly: false,
      signatureSkewMs: 900_000,
      callBytes: 262_144,
      batchBytes: 131_072,
      eventsPerBatch: 10_000,
      batchesPerCall: 100,
    });
  });

  it('refuse a batch that may be larger than its call', () => {
    const faults = (environment: Environment) => checkIntake(readSettings(ingestionTable, environment));
    expect([faults({}), faults({ INGEST_CALL_LIMIT_BYTES: '131072' })]).toEqual([[], []]);
    expect(faults({ INGEST_CALL_LIMIT_BYTES: '131071' })).toEqual([
      'INGEST_BATCH_LIMIT_BYTES: must not be more than INGEST_CALL_LIMIT_BYTES',
    ]);
  });

  it('appear in the help', () => {
    const help = helpText('ingestion', '', ingestionTable);
    for (const name of [
      'KEY_ONLY',
      'SIGNATURE_SKEW_MS',
      'CALL_LIMIT_BYTES',
      'BATCH_LIMIT_BYTES',
      'BATCH_LIMIT_EVENTS',
      'BULK_LIMIT_BATCHES',
      'PROFILE_LIMIT_BYTES',
      'PROFILE_LIMIT_IDENTITIES',
    ])
      expect(help).toContain(`INGEST_${name}  (`);
  });
});

describe('the time between the two passes of an erasure', () => {
  const read = (environment: Environment) => readSettings(ingestionTable, environment);
  const faults = (environment: Environment) =>
    checkIngestion(read(environment)).filter((fault) => fault.startsWith('ERASURE_SECOND_PASS_MS'));

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
