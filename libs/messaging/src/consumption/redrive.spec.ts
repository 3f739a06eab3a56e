import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redriveContract } from './redrive.contract';

redriveContract('the embedded store', () => ({ dataDir: mkdtempSync(join(tmpdir(), 'redrive-')) }));
