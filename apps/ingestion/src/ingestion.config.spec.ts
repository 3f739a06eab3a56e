import { helpText, readSettings } from '@opendsr-service/runtime';
import { ingestionTable, intakeRulesOf } from './ingestion.config';

describe('the settings of the intake', () => {
  it('are those of the protocol notes where nothing is set', () => {
    expect(intakeRulesOf(readSettings(ingestionTable, {}))).toEqual({
      keyOnly: false,
      signatureSkewMs: 900_000,
      callBytes: 262_144,
      batchBytes: 131_072,
      eventsPerBatch: 10_000,
      batchesPerCall: 100,
    });
  });

  it('stand in the help', () => {
    const help = helpText('ingestion', '', ingestionTable);
    for (const name of ['KEY_ONLY', 'SIGNATURE_SKEW_MS', 'CALL_LIMIT_BYTES', 'BATCH_LIMIT_BYTES', 'BATCH_LIMIT_EVENTS', 'BULK_LIMIT_BATCHES', 'PROFILE_LIMIT_BYTES']) expect(help).toContain(`INGEST_${name}  (`);
  });
});
