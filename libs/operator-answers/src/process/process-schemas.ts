import { count, flag, object, objectOrNull, objects, oneOf, textOrNull, time, word } from '@opendsr-service/edge';

/** The fields of how many records are parked. */
export const PARKED_COUNTS = {
  blocking: count('Those that hold back later records of their key, and those that wait.'),
  aside: count('Those that hold nothing back.'),
} as const;

/** The fields of a certificate. */
export const CERTIFICATE = {
  version: oneOf(['v2', 'v1'], 'The version of the protocol.'),
  ends_time: time('When it ends.'),
  days_left: { type: 'integer', description: 'Whole days until then; negative once it has ended.' },
} as const;

/** What a process of a service says of itself. */
export const OPERATOR_SERVICE = object(
  'A service, as one of its processes knows it. Of a service that did not answer in time only name and state are known.',
  {
    service: word('Its name; `standalone` is all services in one process.'),
    state: oneOf(['ok', 'degraded', 'unavailable'], 'As `/readyz` says it; `unavailable` without an answer.'),
    version: textOrNull('The version that runs.'),
    uptime_seconds: { type: ['integer', 'null'], minimum: 0, description: 'How long the process runs.' },
    checks: {
      type: ['object', 'null'],
      additionalProperties: { type: 'boolean' },
      description: 'What each check of `/readyz` says.',
    },
    consumer_groups: objects('The consumer groups of the service.', {
      group: word('Its name.'),
      state: oneOf(['joining', 'consuming', 'away'], 'The state of this process in it.'),
      topics: objects('How far the group is behind the end of each of its topics.', {
        topic: word('The topic.'),
        lag: count('Records, over all partitions.'),
      }),
    }),
    outboxes: objects('What waits to be published.', {
      outbox: word('Its name.'),
      oldest_age_seconds: {
        type: 'number',
        minimum: 0,
        description: 'The age of the oldest entry; 0 where none waits.',
      },
    }),
    overdue_work: objects('What should have been done by now.', {
      work: word('Its name.'),
      overdue_seconds: {
        type: 'number',
        minimum: 0,
        description: 'Since the oldest was due; 0 where none is overdue.',
      },
    }),
    parked: objectOrNull('How many records are parked. Null until they were counted.', PARKED_COUNTS),
    certificates: objects('The certificates that sign receipts and callbacks.', CERTIFICATE),
    settings: objects('The settings of the process, without secrets.', {
      name: word('The environment variable.'),
      value: textOrNull('Its value or default. Null where it has none, or it is hidden.'),
      hidden: flag('Whether it has a value that is not shown, because it may be a secret.'),
    }),
  },
);
