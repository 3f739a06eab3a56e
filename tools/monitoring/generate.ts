import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from '../e2e/repository';
import { GENERATED } from './generated';

// Writes what is made for Prometheus and Grafana anew.
for (const { path, text } of GENERATED) {
  mkdirSync(dirname(repository(path)), { recursive: true });
  writeFileSync(repository(path), text());
  console.log(path);
}
