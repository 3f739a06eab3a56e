import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from './contract/storage.contract';

const dataDir = mkdtempSync(join(tmpdir(), 'dsr-storage-'));

afterAll(() => rmSync(dataDir, { recursive: true }));

storageContract({ kind: 'embedded', options: () => ({ dataDir }) });
