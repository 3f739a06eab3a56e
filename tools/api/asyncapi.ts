import { createSecretKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cloudEventHeaders,
  DELIVERY_EVENT_SCHEMAS,
  PARTICIPANT_REPORT_SCHEMAS,
  RECORD_SIGNATURE_HEADER,
  REQUEST_EVENT_SCHEMAS,
  signRecord,
  TOPICS,
  type Topic,
} from '@opendsr-service/contracts';
import { repository } from '../e2e/repository';

type Part = Readonly<Record<string, unknown>>;
type PublicTopic = {
  [K in keyof typeof TOPICS]: (typeof TOPICS)[K]['audience'] extends 'public' ? K : never;
}[keyof typeof TOPICS];

interface Described {
  readonly schemas: Readonly<Record<string, object>>;
  /** Seen from the service. */
  readonly action: 'send' | 'receive';
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, string>>;
  readonly isSigned?: boolean;
}

const KEY = '`<workspace>:<request id>`, so that everything about one request is in order.';

/** Every public topic; the compiler asks for a new one. */
const DESCRIBED: Readonly<Record<PublicTopic, Described>> = {
  requestEvents: {
    schemas: REQUEST_EVENT_SCHEMAS,
    action: 'send',
    operation: 'tellOfRequests',
    summary: 'The life of every request.',
    description:
      'Numbered per request by `version`, without a gap. Within v1 fields are only added: ignore those that you do not know.',
    messages: {
      RequestReceived: 'A request was accepted, and is pending.',
      RequestCancelled: 'It was cancelled before it started.',
      RequestStarted: 'Its waiting time is over: the participants that it names do their share now.',
      ParticipantReported: 'One of them said how far it is.',
      DeadlineExtended: 'The law’s date was extended, once, by an operator: it may take until `extendedUntil`.',
      RequestFulfilled: 'All of them are done.',
      RequestCompleted: 'The controller may know.',
    },
  },
  participantReports: {
    schemas: PARTICIPANT_REPORT_SCHEMAS,
    action: 'receive',
    operation: 'hearOfShares',
    summary: 'What participants say of their share of a request.',
    description:
      'Written by participants, each with a signature under its own secret. What does not fit its signature or its request is set aside.',
    messages: { ParticipantReport: '`completed`, `sent` and `skipped` are final; `failed` may be reported again.' },
    isSigned: true,
  },
  deliveryEvents: {
    schemas: DELIVERY_EVENT_SCHEMAS,
    action: 'send',
    operation: 'tellOfDeliveries',
    summary: 'What became of callbacks.',
    description: 'A destination is one callback URL of one request, named by a keyed hash of the URL.',
    messages: {
      CallbackQueued:
        'A callback waits to be sent: the status of its request changed, or its controller asked for it once more.',
      CallbackAttempted: 'One try, and how it ended. `unreachable` is everything that was no answer.',
      CallbackGivenUp: 'A callback was not delivered, and is not tried again unless its controller asks for it.',
      DestinationSettled: 'Nothing more will be sent on this destination, unless its controller asks for it.',
    },
  },
};

const SAMPLE_KEY = createSecretKey(Buffer.from('secret-of-the-sample'));

interface Golden {
  readonly key: string;
  readonly headers: Record<string, string>;
  readonly value: object;
}

/** The golden samples of a message, which the codecs are tested against. */
function samples(topic: string, type: string, isSigned: boolean): Part[] {
  const folder = repository('libs/contracts/src/golden');
  const files = readdirSync(folder)
    .filter((file) => file.startsWith(`${topic}.${type}.`))
    .sort();
  return files.map((file) => {
    const { key, headers, value } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden;
    const record = { key, headers, value: Buffer.from(JSON.stringify(value)) };
    return {
      name: file.slice(0, -'.json'.length),
      headers: isSigned ? signRecord(record, SAMPLE_KEY).headers : headers,
      payload: value,
    };
  });
}

const HEADER_WORDS: Readonly<Record<string, string>> = {
  ce_id: 'The same wherever the message is built again: a repeat shows by it.',
  ce_type: 'Name and version of the message.',
  ce_subject: 'The request.',
  ce_workspaceid: 'The workspace.',
};

function headersSchema(type: string, isSigned: boolean): Part {
  const fixed = cloudEventHeaders({ id: '', type, source: '', subject: '', time: '', ws: '' });
  const properties = Object.entries(fixed).map(([name, value]) => [
    name,
    {
      type: 'string',
      ...(value !== '' && { const: value }),
      ...(name in HEADER_WORDS && { description: HEADER_WORDS[name] }),
    },
  ]);
  const signature = {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'Lower-case hexadecimal HMAC-SHA256 over the bytes of the value, under the secret of the participant.',
  };
  return {
    type: 'object',
    required: [...Object.keys(fixed), ...(isSigned ? [RECORD_SIGNATURE_HEADER] : [])],
    properties: { ...Object.fromEntries(properties), ...(isSigned && { [RECORD_SIGNATURE_HEADER]: signature }) },
  };
}

const messageOf = (topic: PublicTopic, type: string, { schemas, messages, isSigned = false }: Described): Part => ({
  name: type,
  title: type,
  summary: messages[type],
  contentType: 'application/json',
  headers: headersSchema(type, isSigned),
  payload: schemas[type],
  bindings: { kafka: { key: { type: 'string', description: KEY }, bindingVersion: '0.5.0' } },
  examples: samples(topic, type, isSigned),
});

function channelOf({ name, partitions, retentionMs }: Topic, { schemas, summary, description }: Described): Part {
  return {
    address: name,
    title: name,
    summary,
    description,
    messages: Object.fromEntries(Object.keys(schemas).map((type) => [type, { $ref: `#/components/messages/${type}` }])),
    bindings: {
      kafka: {
        topic: name,
        partitions,
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': retentionMs },
        bindingVersion: '0.5.0',
      },
    },
  };
}

/** The AsyncAPI 3.0 document of the public topics: the schemas are those that every record is checked against. */
export function asyncApi(): object {
  const topics = Object.entries(DESCRIBED) as [PublicTopic, Described][];
  const operationOf = (topic: PublicTopic, { action, summary }: Described) => ({
    action,
    summary,
    channel: { $ref: `#/channels/${topic}` },
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'OpenDSR service: public topics',
      version: '1.0.0',
      description:
        'CloudEvents 1.0 in binary mode over Kafka: attributes are headers, values are JSON. An ' +
        'installation may put a prefix before the names (`KAFKA_TOPIC_PREFIX`). docs/participants.md ' +
        'says how to take part.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'opendsr', description: 'Requests of data subjects.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: 'kafka.example.com:9092',
        protocol: 'kafka-secure',
        description: 'The brokers of the installation.',
      },
    },
    channels: Object.fromEntries(topics.map(([topic, described]) => [topic, channelOf(TOPICS[topic], described)])),
    operations: Object.fromEntries(
      topics.map(([topic, described]) => [described.operation, operationOf(topic, described)]),
    ),
    components: {
      messages: Object.fromEntries(
        topics.flatMap(([topic, described]) =>
          Object.keys(described.schemas).map((type) => [type, messageOf(topic, type, described)]),
        ),
      ),
    },
  };
}
