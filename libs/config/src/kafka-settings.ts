import type { KafkaOptions, KafkaSasl } from '@opendsr-service/messaging';
import { certificatesOfFile, isKeyOf, keyOfFile, lineOfFile } from './file-contents';
import { bool, choice, int, list, text } from './parsers';
import { secureContext } from './secure-context';
import type { Profile, Values } from './setting';

/** Addresses of the brokers and credentials for them. Files are read at the start. */
export const kafkaSettings = {
  KAFKA_BROKERS: list(
    {
      meaning:
        'Kafka brokers. Together with MONGODB_URI or MONGODB_URI_FILE: the real servers; neither: embedded stores (standalone only).',
    },
    /^[^\s:/]+:\d{1,5}$/,
    'host:port',
  ),
  KAFKA_TLS: bool({
    default: false,
    meaning: 'Whether the brokers are reached by TLS. Their names and certificates are then always verified.',
  }),
  KAFKA_CA_FILE: certificatesOfFile({
    meaning: 'Authorities of the brokers, PEM, trusted in addition to the public ones. Needs KAFKA_TLS.',
  }),
  KAFKA_CLIENT_CERT_FILE: certificatesOfFile({
    meaning: 'Client certificate for the brokers (mutual TLS), then its chain, PEM. Needs KAFKA_TLS.',
  }),
  KAFKA_CLIENT_KEY_FILE: keyOfFile({ meaning: 'Private key of that certificate, PEM, without a password.' }),
  KAFKA_SASL_MECHANISM: choice(['plain', 'scram-sha-256', 'scram-sha-512'], {
    meaning:
      'SASL mechanism for the brokers. plain sends the password unencrypted: it needs KAFKA_TLS in the production profile.',
  }),
  KAFKA_SASL_USERNAME: text({ meaning: 'As whom.' }),
  KAFKA_SASL_PASSWORD_FILE: lineOfFile({ meaning: 'File with the password, on one line.' }),
  KAFKA_TOPIC_PREFIX: text(
    { default: '', meaning: 'Prefix of each topic and consumer group.' },
    /^[A-Za-z0-9._-]{0,60}$/,
    'at most 60 letters, digits, ., _ or -',
  ),
  TOPIC_REPLICATION: int({
    default: 3,
    min: 1,
    max: 15,
    meaning: 'Copies of each topic; 1 must be set on purpose, for a single broker.',
  }),
  TOPIC_MIN_ISR: int({
    default: 2,
    min: 1,
    max: 15,
    meaning: 'Copies that must hold a record before it counts as written; 1 must be set on purpose.',
  }),
} as const;

export type KafkaValues = Values<typeof kafkaSettings>;

const tlsNames = ['KAFKA_CA_FILE', 'KAFKA_CLIENT_CERT_FILE', 'KAFKA_CLIENT_KEY_FILE'] as const;

function checkTls(values: KafkaValues): string[] {
  const { KAFKA_CLIENT_CERT_FILE: certificates, KAFKA_CLIENT_KEY_FILE: key } = values;
  const faults = values.KAFKA_TLS
    ? []
    : tlsNames.filter((name) => values[name] !== undefined).map((name) => `${name}: needs KAFKA_TLS to be true`);
  const names = 'KAFKA_CLIENT_CERT_FILE and KAFKA_CLIENT_KEY_FILE';
  if ((certificates === undefined) !== (key === undefined)) faults.push(`${names}: set both, or neither`);
  if (certificates && key !== undefined && !isKeyOf({ key, cert: certificates.join('\n') }))
    faults.push(`${names}: the key is not that of the certificate`);
  return faults;
}

function checkSasl(values: KafkaValues, profile: Profile): string[] {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD_FILE: password } = values;
  const given = [mechanism, username, password].filter((value) => value !== undefined).length;
  const faults =
    given === 0 || given === 3
      ? []
      : ['KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD_FILE: set all, or none'];
  if (mechanism === 'plain' && !values.KAFKA_TLS && profile === 'production')
    faults.push(
      'KAFKA_SASL_MECHANISM: plain needs KAFKA_TLS to be true in the production profile, for it sends the password readable',
    );
  return faults;
}

/** Faults of the settings of Kafka; no fault names a value. Without a profile the rules of production hold. */
export const checkKafka = (values: KafkaValues & { readonly TIMING_PROFILE?: Profile }): string[] => [
  ...checkTls(values),
  ...checkSasl(values, values.TIMING_PROFILE ?? 'production'),
  ...(values.TOPIC_MIN_ISR > values.TOPIC_REPLICATION
    ? ['TOPIC_MIN_ISR: must not be more than TOPIC_REPLICATION']
    : []),
];

function saslOf({
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: username,
  KAFKA_SASL_PASSWORD_FILE: password,
}: KafkaValues): KafkaSasl | undefined {
  return mechanism && username !== undefined && password !== undefined ? { mechanism, username, password } : undefined;
}

/** How the log is opened on the brokers that the settings name; `clientId` is how they see the process. */
export function kafkaOptionsOf(values: KafkaValues, clientId: string): KafkaOptions {
  const { KAFKA_CLIENT_CERT_FILE: certificates, KAFKA_CLIENT_KEY_FILE: key } = values;
  const identity = certificates && key !== undefined ? { key, cert: certificates.join('\n') } : undefined;
  const sasl = saslOf(values);
  return {
    brokers: values.KAFKA_BROKERS,
    clientId,
    topicPrefix: values.KAFKA_TOPIC_PREFIX,
    ...(values.KAFKA_TLS && { tls: secureContext(values.KAFKA_CA_FILE, identity) }),
    ...(sasl && { sasl }),
  };
}
