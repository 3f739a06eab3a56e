import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseOfService, SERVICE_NAMES } from '@opendsr-service/operator-answers';

const page = readFileSync(join(__dirname, '../../../../docs/connecting.md'), 'utf8');
const usersOfMongodb = page.slice(page.indexOf('| User '));
const FIVE = SERVICE_NAMES.map((name) => databaseOfService(name).database);
const SEVEN = [...FIVE, 'keys', 'workspaces'];

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());
export const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();
export const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The cells of the first row of docs/connecting.md whose first cell is this one, without that. */
export const row = (first: string, within = page): string[] => {
  const line = within.split('\n').find((one) => cellsOf(one)[1] === first);
  return cellsOf(line ?? '').slice(2);
};

export interface Databases {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What the user of a service writes in MongoDB. */
export const databasesOfUser = (service: string): Databases => ({
  reads: [],
  writes: namesIn(row(service, usersOfMongodb)[0]),
});

/** The rows of the operator's user of MongoDB: their commands, and what else they have. */
const ofCommands = usersOfMongodb
  .slice(usersOfMongodb.indexOf('| Commands '))
  .split('\n')
  .map((line) => cellsOf(line).slice(1))
  .map(([names, ...databases]) => [namesIn(names), databases] as const);

export const commandsWithDatabases = ofCommands.flatMap(([names]) => names);

/** What the operator's user needs in MongoDB for this command. */
export function databasesOfCommand(command: string): Databases {
  const [, cells = []] = ofCommands.find(([names]) => names.includes(command)) ?? [];
  const [reads = [], writes = []] = cells.map(databasesIn);
  return { reads, writes };
}

const databasesIn = (cell: string): string[] =>
  sorted([
    ...namesIn(cell).filter((name) => SEVEN.includes(name)),
    ...(cell.includes('those of the five services') ? FIVE : []),
    ...(cell.includes('all seven') ? SEVEN : []),
  ]);
