import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from '../e2e/repository';
import { DOCUMENTS, textOf } from './documents';

// Generates the documents of the API from the code: `npm run openapi`.
for (const document of DOCUMENTS) {
  const file = repository(document.path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, textOf(document));
  console.log(document.path);
}
