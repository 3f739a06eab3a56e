import { int, list, text } from './parsers';
import type { Values } from './setting';

/** Where events and documents are kept. */
export const storeSettings = {
  KAFKA_BROKERS: list({ meaning: 'Kafka brokers. Together with MONGODB_URI: the real servers; neither: embedded stores (standalone only).' }, /^[^\s:/]+:\d{1,5}$/, 'host:port'),
  MONGODB_URI: text({ meaning: 'MongoDB connection string; may hold a password, so it is never printed.' }, /^mongodb(\+srv)?:\/\/\S+$/, 'a mongodb:// or mongodb+srv:// address'),
  DATA_DIR: text({ default: './data', meaning: 'Folder of the embedded stores, and of the keys and certificates that the sandbox makes for itself.' }),
  MONGODB_DATABASE_PREFIX: text({ default: 'dsr_', meaning: 'Stands before the name of each database.' }, /^[A-Za-z0-9_-]{0,30}$/, 'at most 30 letters, digits, _ or -'),
  KAFKA_TOPIC_PREFIX: text({ default: '', meaning: 'Stands before the name of each topic and consumer group.' }, /^[A-Za-z0-9._-]{0,60}$/, 'at most 60 letters, digits, ., _ or -'),
  TOPIC_REPLICATION: int({ default: 3, min: 1, max: 15, meaning: 'Copies of each topic; 1 must be set on purpose, for a single broker.' }),
  TOPIC_MIN_ISR: int({ default: 2, min: 1, max: 15, meaning: 'Copies that must hold a record before it counts as written; 1 must be set on purpose.' }),
} as const;

type StoreValues = Values<typeof storeSettings>;

/** Which stores a configuration names. */
export type Stores = { readonly kind: 'servers'; readonly brokers: readonly string[]; readonly mongodbUri: string } | { readonly kind: 'embedded'; readonly dataDir: string };

export function storesOf(values: StoreValues): Stores {
  if (values.MONGODB_URI === undefined) return { kind: 'embedded', dataDir: values.DATA_DIR };
  return { kind: 'servers', brokers: values.KAFKA_BROKERS, mongodbUri: values.MONGODB_URI };
}

/** Faults of the stores' settings; only standalone has embedded stores. */
export function checkStores(values: StoreValues, embedded: boolean): string[] {
  const faults: string[] = [];
  const kafka = values.KAFKA_BROKERS.length > 0;
  const mongodb = values.MONGODB_URI !== undefined;
  if (kafka !== mongodb) faults.push('KAFKA_BROKERS and MONGODB_URI: set both, or neither');
  if (!kafka && !mongodb && !embedded) faults.push('KAFKA_BROKERS and MONGODB_URI: must be set, only standalone has embedded stores');
  if (values.TOPIC_MIN_ISR > values.TOPIC_REPLICATION) faults.push('TOPIC_MIN_ISR: must not be more than TOPIC_REPLICATION');
  return faults;
}
