import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { attestationsContract } from './attestations.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

attestationsContract('the embedded store', () => openStorage({ dataDir }));
