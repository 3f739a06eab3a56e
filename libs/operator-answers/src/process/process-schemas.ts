import { count, flag, textOrNull, time, word } from '../schemas';

const named = <const P extends Readonly<Record<string, object>>>(description: string, properties: P) =>
  ({
    type: 'array',
    description,
    items: {
      type: 'object',
      additionalProperties: false,
      required: Object.keys(properties) as (keyof P & string)[],
      properties,
    },
  }) as const;

const PROCESS_STATES = ['ok', 'degraded', 'unavailable'] as const;

/** What a process of a service says of itself. */
export const OPERATOR_SERVICE = {
  type: 'object',
  description:
    'A service, as one of its processes knows it. Of a service that did not answer in time only name and state are known.',
  additionalProperties: false,
  required: [
    ...['service', 'state', 'version', 'uptime_seconds', 'checks', 'consumer_groups', 'outboxes', 'overdue_work'],
    ...['parked', 'certificates', 'settings'],
  ],
  properties: {
    service: word('Its name; `standalone` is all services in one process.'),
    state: {
      type: 'string',
      enum: PROCESS_STATES,
      description: 'As `/readyz` says it; `unavailable` without an answer.',
    },
    version: textOrNull('The version that runs.'),
    uptime_seconds: { type: ['integer', 'null'], minimum: 0, description: 'How long the process runs.' },
    checks: {
      type: ['object', 'null'],
      additionalProperties: { type: 'boolean' },
      description: 'What each check of `/readyz` says.',
    },
    consumer_groups: named('The consumer groups of the service.', {
      group: word('Its name.'),
      state: {
        type: 'string',
        enum: ['joining', 'consuming', 'away'],
        description: 'The state of this process in it.',
      },
      topics: named('How far the group is behind the end of each of its topics.', {
        topic: word('The topic.'),
        lag: count('Records, over all partitions.'),
      }),
    }),
    outboxes: named('What waits to be published.', {
      outbox: word('Its name.'),
      oldest_age_seconds: {
        type: 'number',
        minimum: 0,
        description: 'The age of the oldest entry; 0 where none waits.',
      },
    }),
    overdue_work: named('What should have been done by now.', {
      work: word('Its name.'),
      overdue_seconds: {
        type: 'number',
        minimum: 0,
        description: 'Since the oldest was due; 0 where none is overdue.',
      },
    }),
    parked: {
      type: ['object', 'null'],
      description: 'How many records are parked. Null until they were counted.',
      additionalProperties: false,
      required: ['blocking', 'aside'],
      properties: {
        blocking: count('Those that hold back later records of their key, and those that wait.'),
        aside: count('Those that hold nothing back.'),
      },
    },
    certificates: named('The certificates that sign receipts and callbacks.', {
      version: { type: 'string', enum: ['v2', 'v1'], description: 'The version of the protocol.' },
      ends_time: time('When it ends.'),
      days_left: { type: 'integer', description: 'Whole days until then; negative once it has ended.' },
    }),
    settings: named('The settings of the process, without secrets.', {
      name: word('The environment variable.'),
      value: textOrNull('Its value or default. Null where it has none, or it is hidden.'),
      hidden: flag('Whether it has a value that is not shown, because it may be a secret.'),
    }),
  },
} as const;
