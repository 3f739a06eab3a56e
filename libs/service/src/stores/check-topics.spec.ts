import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { type EventLog, openLog, type TopicDefinition } from '@opendsr-service/messaging';
import { topicsStep } from './check-topics';

const single = { replication: 1, minIsr: 1 };
const [first, ...others] = Object.values<TopicDefinition>(TOPICS);
let folder: string;
let embedded: EventLog;
let warnings: unknown[][];
const log = { warn: (...line: unknown[]) => void warnings.push(line) };

/** A log whose topics an operator makes. */
const served = (): Pick<EventLog, 'kind' | 'topics'> => ({ kind: 'kafka', topics: embedded.topics });

beforeEach(async () => {
  warnings = [];
  folder = await mkdtemp(join(tmpdir(), 'dsr-topics-'));
  embedded = await openLog({ embedded: { file: join(folder, 'log.db') } });
});
afterEach(async () => {
  await embedded.close();
  await rm(folder, { recursive: true });
});

it('waits for topics that are missing, by name, until all are there', async () => {
  const { run } = topicsStep(served(), single, log);
  await embedded.topics.apply(others, single);
  await expect(run()).rejects.toMatchObject({
    name: 'NotYetAvailable',
    what: 'topics',
    why: `they are missing, \`dsr topics apply\` makes them: ${String(first?.name)}`,
  });
  await embedded.topics.apply(Object.values(TOPICS), single);
  await run();
});

it('refuses wrong topics at once, even if others are missing', async () => {
  if (first) await embedded.topics.apply([{ ...first, retentionMs: 1 }], single);
  await expect(topicsStep(served(), single, log).run()).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(
      new RegExp(`^the topics are not as they must be: topic ${String(first?.name)}: retention.ms is 1, `),
    ) as string,
  });
});

it('starts with a longer retention of topics that an operator makes, and warns', async () => {
  if (first) await embedded.topics.apply([{ ...first, retentionMs: first.retentionMs + 1 }], single);
  await embedded.topics.apply(others, single);
  await topicsStep(served(), single, log).run();
  expect(warnings).toEqual([[{ topic: first?.name }, 'A topic keeps sealed personal data longer than it should']]);
});

it.each([
  ['none', []],
  ['other releases', [1, 1_000 * 86_400_000, -1]],
])('makes those of the embedded log itself, and changes the retention of those of %s', async (_, made) => {
  const retained = made.map((retentionMs, n) => ({ ...(Object.values(TOPICS)[n] as TopicDefinition), retentionMs }));
  await embedded.topics.apply(retained, single);
  await topicsStep(embedded, single, log).run();
  const states = await embedded.topics.compare(Object.values(TOPICS), single);
  expect(states).toEqual(
    Object.values(TOPICS).map(({ name }) => ({ name, exists: true, differences: [], tolerated: [] })),
  );
});
