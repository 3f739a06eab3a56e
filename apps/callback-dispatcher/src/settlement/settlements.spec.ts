import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { settlementsContract } from './settlements.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'settlements-'));
afterAll(() => { rmSync(dataDir, { recursive: true }); });

settlementsContract('the embedded store', () => openStorage({ dataDir }));
