import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { transparencyLogContract } from './transparency-log.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

transparencyLogContract('the embedded store', () => openStorage({ dataDir }));
