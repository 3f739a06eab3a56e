import 'reflect-metadata';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from '../e2e/repository';
import { CONSOLE_TYPES, consoleTypes, DOCUMENTS, PROMISED, textOf } from './documents';
import { brokenPromises, promisesOf, textOfPromises, type Promises } from './promises';

function write(path: string, text: string) {
  const file = repository(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}

/** Records what the API promises now. Refuses what breaks a promise that is recorded (docs/compatibility.md, "HTTP"). */
function record({ path, build }: (typeof PROMISED)[number]) {
  const file = repository(path);
  const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Promises) : {};
  const today = promisesOf(build());
  const broken = brokenPromises(recorded, today);
  if (broken.length > 0) throw new Error(`${path}: promises are broken: ${broken.join('; ')}`);
  write(path, textOfPromises(today));
}

// Generates the documents of the API from the code: `npm run openapi`.
for (const document of DOCUMENTS) write(document.path, textOf(document));
write(CONSOLE_TYPES, await consoleTypes());
PROMISED.forEach(record);
