import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull } from '@opendsr-service/storage/testing';
import { attestationsContract } from './attestations.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

describeInFull('as on servers', () => attestationsContract('the embedded store', () => openStorage({ dataDir })));
