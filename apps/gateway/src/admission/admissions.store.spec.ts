import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { requestsStoreContract } from './admissions.store.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

requestsStoreContract('the embedded store', () => openStorage({ dataDir }));
