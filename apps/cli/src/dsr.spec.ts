import { ConfigurationError } from '@opendsr-service/config';
import manifest from '../package.json';
import { command, EXIT, type Command } from './command';
import { CommandError } from './command-error';
import { required } from './options';
import { jsonOption, show, showEach } from './output';
import { say as sayTo } from './testing/say';

const greet = command({
  words: 'people greet',
  meaning: 'greets somebody',
  options: { name: required('NAME', String) },
  run: ({ name }, { print }) => {
    print(`hello ${name}`);
    return Promise.resolve(EXIT.ok);
  },
});
const failing = (words: string, error: Error): Command =>
  command({ words, meaning: '', options: {}, run: () => Promise.reject(error) });
const rest = command({ words: 'rest', meaning: 'does nothing', options: {}, run: () => Promise.resolve(EXIT.ok) });
const away = Object.assign(new Error('connect ECONNREFUSED broker-1.internal:9092'), {
  name: 'KafkaJSConnectionError',
  code: 'ECONNREFUSED',
});
const list = command({
  words: 'people list',
  meaning: '',
  options: jsonOption,
  run: (given, terminal) => {
    show(terminal, given, { names: ['Ann'] }, ({ names }) => names);
    return Promise.resolve(EXIT.ok);
  },
});
const commands = [
  greet,
  rest,
  list,
  failing('people away', away),
  command({ words: 'people lost', meaning: '', options: jsonOption, run: () => Promise.reject(away) }),
  failing('people fail', new CommandError('not today\nwith details')),
  failing('people unset', new ConfigurationError(['A: must be set', 'B: must be set'])),
];

const say = (line: string) => sayTo(line, { commands });

describe('dsr', () => {
  it('finds a command by its first two words and hands it the rest', async () => {
    expect(await say('people greet --name Ann')).toEqual({ code: 0, out: ['hello Ann'], err: [] });
  });

  it('finds a command of one word', async () => {
    expect(await say('rest')).toEqual({ code: 0, out: [], err: [] });
    expect(await say('rest --name Ann')).toEqual({
      code: 2,
      out: [],
      err: ["Unknown option '--name'", 'usage: dsr rest'],
    });
    expect((await say('rest --help')).out).toContain('  dsr rest');
  });

  it.each(['', '--help', 'help', '-h'])('lists all commands with their options: dsr %s', async (line) => {
    const { code, out } = await say(line);
    expect(code).toBe(0);
    expect(out).toContain('  dsr people greet --name NAME');
    expect(out).toContain('  dsr people fail');
  });

  it('shows the options of one command', async () => {
    const { code, out } = await say('people greet --help');
    expect(code).toBe(0);
    expect(out).toContain('  dsr people greet --name NAME');
    expect(out).not.toContain('  dsr people fail');
  });

  it.each([
    ['people', 2],
    ['people --help', 0],
    ['people -h', 0],
    ['people help', 0],
  ])('shows the commands that begin with a word: dsr %s', async (line, expected) => {
    const { code, out, err } = await say(line);
    expect([code, err]).toEqual([expected, []]);
    expect(out).toEqual(expect.arrayContaining(['  dsr people greet --name NAME', '  dsr people fail']));
    expect(out).not.toContain('  dsr rest');
  });

  it('prints its version', async () => {
    expect(await say('--version')).toEqual({ code: 0, out: [manifest.version], err: [] });
  });

  it.each([
    ['people leave', 'people '],
    ['people leave --help', 'people '],
    ['greet people', ''],
    ['greet --help', ''],
    ['peopl', ''],
  ])('ends with 2 where there is no such command: dsr %s', async (line, group) => {
    expect(await say(line)).toEqual({ code: 2, out: [], err: [`no such command: see dsr ${group}--help`] });
  });

  it('ends with 2 and the usage where the options are wrong', async () => {
    expect(await say('people greet')).toEqual({
      code: 2,
      out: [],
      err: ['--name is missing', 'usage: dsr people greet --name NAME'],
    });
  });

  it('ends with 1 and one line where a command fails, and a line for each bad setting', async () => {
    expect(await say('people fail')).toEqual({ code: 1, out: [], err: ['not today'] });
    expect(await say('people unset')).toEqual({ code: 1, out: [], err: ['A: must be set', 'B: must be set'] });
  });

  it('ends with 3 where a server cannot be reached, without its address', async () => {
    expect(await say('people away')).toEqual({ code: 3, out: [], err: ['Kafka: it refuses connections'] });
  });

  it('prints one JSON document where a machine asks for it, its errors too', async () => {
    expect(await say('people list')).toEqual({ code: 0, out: ['Ann'], err: [] });
    expect(await say('people list --json')).toEqual({ code: 0, out: ['{"names":["Ann"]}'], err: [] });
    expect(await say('people lost --json')).toEqual({
      code: 3,
      out: [],
      err: ['{"error":"Kafka: it refuses connections"}'],
    });
    expect(await say('people list --json --name Ann')).toEqual({
      code: 2,
      out: [],
      err: ['{"error":"Unknown option \'--name\'"}'],
    });
  });
});

it.each([[[]], [['Ann']], [['Ann', 'Bob']]])('a list is one JSON document, however long it is: %j', async (names) => {
  const out: string[] = [];
  const items = async function* () {
    yield* await Promise.resolve(names);
  };
  const listing = { name: 'names', items: items(), lines: (name: string) => [name], none: 'nobody' };
  await showEach({ print: (line) => void out.push(line) }, { json: true }, listing);
  expect(JSON.parse(out.join('\n'))).toEqual({ names });
  await showEach({ print: (line) => void out.push(line) }, { json: undefined }, { ...listing, items: items() });
  expect(out.slice(names.length + 2)).toEqual(names.length === 0 ? ['nobody'] : names);
});
