import { alignColumns } from './columns';

/** What the drivers of all processes did: commands to MongoDB with the documents that they wrote, and requests to Kafka. */
export interface Operations {
  readonly finds: number;
  readonly writes: number;
  readonly documents: number;
  readonly produces: number;
  readonly records: number;
  readonly fetches: number;
  readonly commits: number;
}

/** For one of each thing; `idleSecond` is there for comparison, and part of the others. */
export interface OperationsMeasured {
  /** Of the creates and of the lives. */
  readonly perSecond: number;
  readonly create: Operations;
  /** A create with its first callback, delivered. */
  readonly callback: Operations;
  readonly life: Operations;
  readonly idleSecond: Operations;
}

const NAMES = [
  'finds',
  'writes',
  'documents',
  'produces',
  'records',
  'fetches',
  'commits',
] as const satisfies readonly (keyof Operations)[];

/** Of one of `count` things. */
export const operationsOfEach = (before: Operations, after: Operations, count: number): Operations =>
  Object.fromEntries(NAMES.map((name) => [name, (after[name] - before[name]) / count])) as unknown as Operations;

/** The operations as a table of plain text. */
export function operationsTable({ perSecond, create, callback, life, idleSecond }: OperationsMeasured): string {
  const row = (what: string, operations: Operations) => [what, ...NAMES.map((name) => operations[name].toFixed(2))];
  return alignColumns([
    [
      `operations of drivers for one, ${String(perSecond)} a second`,
      'finds',
      'write commands',
      'documents',
      ...NAMES.slice(3),
    ],
    row('create', create),
    row('create with a callback, as fast as answered', callback),
    row('whole life', life),
    row('idle second', idleSecond),
  ]);
}
