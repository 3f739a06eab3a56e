import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from '../e2e/repository';
import { declaredPath, textOfDeclared } from './declared/declared';
import { declaredByServices } from './declared/declared-by-services';
import { GENERATED } from './generated';

// Generates the files for Prometheus and Grafana, and the docs that follow from the code.
function write(path: string, text: string): void {
  mkdirSync(dirname(repository(path)), { recursive: true });
  writeFileSync(repository(path), text);
  console.log(path);
}

// First, for the others are made from it.
write(declaredPath, textOfDeclared(await declaredByServices()));
for (const { path, text } of GENERATED) write(path, text());
