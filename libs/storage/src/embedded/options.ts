import type { Doc } from './bson';
import { EmbeddedUnsupported } from './errors';

/** Every result of this store is durable, so these options need no support. */
const promised = [
  'writeConcern',
  'w',
  'j',
  'journal',
  'wtimeout',
  'wtimeoutMS',
  'readConcern',
  'readPreference',
  'retryWrites',
  'retryReads',
  'maxTimeMS',
  'timeoutMS',
  'comment',
];
const encoding = [
  'promoteLongs',
  'promoteBuffers',
  'ignoreUndefined',
  'serializeFunctions',
  'checkKeys',
  'bypassDocumentValidation',
];
/** Options of mongoose that it passes on to the driver. */
const mongooses = [
  'new',
  'returnOriginal',
  'multi',
  'strict',
  'timestamps',
  'overwriteDiscriminatorKey',
  'overwriteImmutable',
  'runValidators',
  'setDefaultsOnInsert',
  'throwOnValidationError',
  'rawResult',
  'lean',
  'populate',
  'validateBeforeSave',
  'middleware',
  'skipValidation',
  '_skipCastBulkWrite',
  'sanitizeProjection',
  'sanitizeFilter',
  'translateAliases',
  'versionKey',
  'strictQuery',
  'upsert',
  'ordered',
];
const accepted = new Set([...promised, ...encoding, ...mongooses]);

/** Refuses every option except the needless ones and those that the caller names. */
export function checkOptions(options: object | undefined, operation: string, own: readonly string[] = []): void {
  for (const [name, value] of Object.entries((options ?? {}) as Doc)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'session') throw new EmbeddedUnsupported('sessions and transactions');
    if (!accepted.has(name) && !own.includes(name)) throw new EmbeddedUnsupported(`the option ${name} of ${operation}`);
  }
}
