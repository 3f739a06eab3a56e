import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { configurationText } from './configuration';

// Writes the configuration reference from the tables of settings: `npm run reference`.
writeFileSync(repository('docs/configuration.md'), configurationText());
console.log('docs/configuration.md');
