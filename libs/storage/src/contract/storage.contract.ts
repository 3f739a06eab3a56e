import { bulkWriterContract } from './bulk-writer.contract';
import { documentLoaderContract } from './document-loader.contract';
import { indexesComparedContract } from './indexes-compared.contract';
import { indexesContract } from './indexes.contract';
import { processesContract } from './processes.contract';
import { racesContract } from './races.contract';
import { readsContract } from './reads.contract';
import type { Subject } from './subject';
import { updatesContract } from './updates.contract';

/** All that both stores promise. */
export function storageContract(subject: Subject): void {
  indexesContract(subject);
  indexesComparedContract(subject);
  updatesContract(subject);
  bulkWriterContract(subject);
  documentLoaderContract(subject);
  readsContract(subject);
  racesContract(subject);
  processesContract(subject);
}
