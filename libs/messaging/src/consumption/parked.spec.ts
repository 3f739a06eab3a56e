import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parkedContract } from './parked.contract';

parkedContract('the embedded store', () => ({ dataDir: mkdtempSync(join(tmpdir(), 'parked-')) }));
