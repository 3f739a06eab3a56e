import { checkKafka, kafkaSettings, type KafkaValues } from './kafka-settings';
import { checkMongodb, mongodbSettings, mongodbUriOf, type MongodbValues } from './mongodb-settings';
import { text } from './parsers';
import type { Profile, Values } from './setting';

export const storeSettings = {
  ...kafkaSettings,
  ...mongodbSettings,
  DATA_DIR: text({
    default: './data',
    meaning: 'Folder of the embedded stores, and of the keys and certificates that the sandbox makes for itself.',
  }),
} as const;

export type StoreValues = Values<typeof storeSettings>;

export type Stores =
  | { readonly kind: 'servers'; readonly brokers: readonly string[]; readonly mongodbUri: string }
  | { readonly kind: 'embedded'; readonly dataDir: string };

export function storesOf(values: StoreValues): Stores {
  const mongodbUri = mongodbUriOf(values);
  return mongodbUri === undefined
    ? { kind: 'embedded', dataDir: values.DATA_DIR }
    : { kind: 'servers', brokers: values.KAFKA_BROKERS, mongodbUri };
}

function checkBoth(kafka: KafkaValues, mongodb: MongodbValues, embedded: boolean): string[] {
  const names = 'KAFKA_BROKERS and MONGODB_URI or MONGODB_URI_FILE';
  const given = [kafka.KAFKA_BROKERS.length > 0, mongodbUriOf(mongodb) !== undefined].filter(Boolean).length;
  if (given === 1) return [`${names}: set both, or neither`];
  return given === 0 && !embedded ? [`${names}: must be set, only standalone has embedded stores`] : [];
}

/** Faults of the stores' settings; only standalone has embedded stores. */
export const checkStores = (
  values: StoreValues & { readonly TIMING_PROFILE?: Profile },
  embedded: boolean,
): string[] => [...checkBoth(values, values, embedded), ...checkKafka(values), ...checkMongodb(values)];
