import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitsContract } from './redrive-waits.contract';
import { redriveContract } from './redrive.contract';

const options = () => ({ dataDir: mkdtempSync(join(tmpdir(), 'redrive-')) });

redriveContract('the embedded store', options);
waitsContract('the embedded store', options);
