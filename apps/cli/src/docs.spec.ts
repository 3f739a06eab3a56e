import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_BEHIND } from '@opendsr-service/operator-answers';
import { EXIT } from './command';
import { commands } from './commands';
import { CLOCK_FAIL_MS, CLOCK_WARN_MS } from './doctor/clocks';
import { FREE_FAIL_BYTES, FREE_WARN_BYTES } from './doctor/folder-checks';
import { OLDEST_KAFKA } from './doctor/kafka-checks';
import { OLDEST_MONGODB } from './doctor/store-checks';
import { SHOWN } from './projections/comparison-lines';

const root = join(__dirname, '../../..');
const docs = join(root, 'docs');
const names = globSync(['README.md', 'docs/**/*.md', 'docker/**/*.md'], { cwd: root, exclude: ['**/node_modules/**'] });
const pages = names.map((name) => readFileSync(join(root, name), 'utf8'));

const BLOCK = /^ *```\w*\n(.*?)^ *```$/gms;
/** Every way to run it: directly, by npx, in a container or in a pod. */
const CALL = /(?<=^|[\s(])dsr ([a-z][^#)\n]*)/gm;

/** The lines of code blocks, without what a backslash divides. */
const lines = pages.flatMap((page) =>
  [...page.matchAll(BLOCK)].flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n')),
);
const callsIn = (text: string): string[] =>
  [...text.matchAll(CALL)].map(([, call = '']) => call.replace(/ \| .*/, '').trim());
const called = lines.flatMap(callsIn);
/** What stands within sentences, where a command may go without its options. */
const spans = pages.flatMap((page) =>
  [...page.replace(BLOCK, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
);
const mentioned = spans.flatMap(callsIn);

const commandOf = (call: string) => commands.find(({ words }) => `${call} `.startsWith(`${words} `));
const optionsIn = (text: string): string[] => [...text.matchAll(/(?<=[ [])--[a-z-]+/g)].map(([option]) => option);
const knowsOptionsOf = (call: string): boolean => {
  const known = optionsIn(` ${commandOf(call)?.usage ?? ''}`);
  return optionsIn(call).every((option) => known.includes(option));
};

describe('the pages', () => {
  it('call dsr as it is: every command is one, and has the options that it is given', () => {
    expect(called.filter((call) => !commandOf(call) || !knowsOptionsOf(call))).toEqual([]);
    for (const words of ['keys create', 'listen', 'verify'])
      expect(called.some((call) => call.startsWith(words))).toBe(true);
  });

  it('mention commands and options that there are', () => {
    expect(
      mentioned.filter(
        (call) =>
          !knowsOptionsOf(call) || (!commandOf(call) && !commands.some(({ words }) => words.startsWith(`${call} `))),
      ),
    ).toEqual([]);
  });

  it('are all looked at, and so is every way of calling it', () => {
    expect(names).toEqual(
      expect.arrayContaining(['README.md', 'docs/operating.md', 'docs/guides/platform.md', 'docker/RUNBOOK.md']),
    );
    for (const way of ['npx dsr ', 'docker run ', 'docker compose ', 'kubectl '])
      expect(lines.some((line) => line.includes(way) && callsIn(line).length > 0)).toBe(true);
  });

  it('call it by its file where a container runs already, for the image has no shell and no dsr on its path', () => {
    const inside = [...lines, ...spans].filter((text) => / exec .* dsr /.test(text));
    expect(inside.length).toBeGreaterThan(2);
    expect(inside.filter((text) => !text.includes(' /usr/local/bin/node /app/opendsr.mjs dsr '))).toEqual([]);
  });
});

describe('docs/operating.md', () => {
  const page = readFileSync(join(docs, 'operating.md'), 'utf8');

  it('names every command, and none that there is not', () => {
    const table = page.slice(page.indexOf('## All commands'));
    expect([...table.matchAll(/`dsr ([a-z -]+)`/g)].map(([, words]) => words).sort()).toEqual(
      commands.map(({ words }) => words).sort(),
    );
  });

  it('says what each exit code means', () => {
    const codes = [...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('states the bounds that the doctor and the lists go by', () => {
    const stated = (number: number) => page.includes(number.toLocaleString('en'));
    for (const ms of [CLOCK_WARN_MS, CLOCK_FAIL_MS]) expect(stated(ms)).toBe(true);
    for (const bytes of [FREE_WARN_BYTES, FREE_FAIL_BYTES])
      expect(page).toContain(`${(bytes / 1_048_576).toLocaleString('en')} MiB`);
    for (const limit of [MOST_BEHIND, SHOWN])
      expect(page.slice(page.indexOf('## Fixed limits'))).toContain(limit.toLocaleString('en'));
    expect(page).toContain(`before ${OLDEST_KAFKA}`);
    expect(page).toContain(`before ${OLDEST_MONGODB}.0`);
  });

  it('leads each command to a page that there is', () => {
    const table = page
      .slice(page.indexOf('## All commands'))
      .split('\n')
      .filter((line) => line.startsWith('| `dsr'));
    const ends = table
      .map((line) => /(above|\[.*\]\((.*)\)) \|$/.exec(line))
      .map((found) => found && (found[2] === undefined || existsSync(join(docs, found[2]))));
    expect(ends).toEqual(table.map(() => true));
  });

  it('says which commands answer a machine: all that list or check', () => {
    const machine = commands.filter(({ usage }) => usage.includes('[--json]')).map(({ words }) => words);
    expect(machine).toEqual(
      expect.arrayContaining(
        commands.map(({ words }) => words).filter((words) => / (list|check|show|apply)$|^doctor$/.test(words)),
      ),
    );
  });
});

it('docs/backup.md quotes what dsr restore says', () => {
  const [, step = ''] = readFileSync(join(docs, 'backup.md'), 'utf8').split('its lines say what: ');
  const quotes = [...(step.split('\n', 1)[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote);
  const says = readFileSync(join(__dirname, 'restore/restore.command.ts'), 'utf8');
  expect([quotes.length, quotes.filter((quote) => !says.includes(quote))]).toEqual([4, []]);
});
