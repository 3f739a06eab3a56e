import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from '../e2e/repository';
import { CONSOLE_TYPES, consoleTypes, DOCUMENTS, textOf } from './documents';

function write(path: string, text: string) {
  const file = repository(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}

// Generates the documents of the API from the code: `npm run openapi`.
for (const document of DOCUMENTS) write(document.path, textOf(document));
write(CONSOLE_TYPES, await consoleTypes());
