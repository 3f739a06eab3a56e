import { TOPICS } from '@opendsr-service/contracts';
import { EXIT } from '../command';
import { say as sayTo } from '../testing/say';
import { World } from '../testing/world';
import { topicsApply, topicsCheck } from './topics.command';

const commands = [topicsApply, topicsCheck];
const names = Object.values(TOPICS).map(({ name }) => name);

describe('dsr topics beside a running service, on the embedded log', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({ topics: [] });
  });
  afterAll(() => world.close());
  const say = (line: string) => world.say(commands, line);

  it('names the topics that are missing with 1, makes them, and then has nothing to make', async () => {
    expect(await say('topics check')).toEqual({
      code: EXIT.failed,
      out: names.map((name) => `topic ${name} does not exist`),
      err: [],
    });
    expect(await say('topics apply')).toEqual({
      code: EXIT.ok,
      out: [...names.map((name) => `created ${name}`), 'all topics are correct'],
      err: [],
    });
    expect((await say('topics apply')).out).toEqual([
      ...names.map((name) => `exists  ${name}`),
      'all topics are correct',
    ]);
    const { code, out } = await say('topics check --json');
    expect([code, JSON.parse(out.join(''))]).toEqual([
      EXIT.ok,
      { topics: names.map((name) => ({ name, exists: true, differences: [], tolerated: [] })) },
    ]);
  });

  it('names a retention that is longer, with 0, because the services start with it', async () => {
    const topic = TOPICS.commands;
    const longer = await World.open({ topics: [{ ...topic, retentionMs: -1 }] });
    try {
      const { code, out } = await longer.say(commands, 'topics apply');
      expect([code, out.at(-1)]).toEqual([
        EXIT.ok,
        `tolerated: topic ${topic.name}: retention.ms is -1, should be ${topic.retentionMs}: ` +
          'its records, with sealed personal data, are kept for longer',
      ]);
    } finally {
      await longer.close();
    }
  });
});

it('makes nothing in a folder without stores, and names what is to be set', async () => {
  const { code, err } = await sayTo('topics apply', { commands, env: { DATA_DIR: '/nonexistent' } });
  expect([code, err]).toEqual([
    EXIT.failed,
    [
      'there are no stores of the service in /nonexistent: set DATA_DIR to their folder, or KAFKA_BROKERS and MONGODB_URI to real servers',
    ],
  ]);
});
