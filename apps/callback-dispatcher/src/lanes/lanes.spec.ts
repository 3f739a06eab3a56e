import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { lanesContract } from './lanes.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'lanes-'));
afterAll(() => { rmSync(dataDir, { recursive: true }); });

lanesContract('the embedded store', () => openStorage({ dataDir }));
