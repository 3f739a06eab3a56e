import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from './command';
import { commands } from './commands';
import { CLOCK_FAIL_MS, CLOCK_WARN_MS } from './doctor/clocks';
import { FREE_FAIL_BYTES, FREE_WARN_BYTES } from './doctor/folder-checks';
import { OLDEST_KAFKA } from './doctor/kafka-checks';
import { OLDEST_MONGODB } from './doctor/store-checks';

const docs = join(__dirname, '../../../docs');
const pages = readdirSync(docs).filter((name) => name.endsWith('.md')).map((name) => readFileSync(join(docs, name), 'utf8'));

/** The lines of code blocks that call `dsr`, without what a backslash divides. */
const calls = pages
  .flatMap((page) => [...page.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block = '']) => block.replaceAll('\\\n', ' ')))
  .flatMap((block) => [...block.matchAll(/(?:^|\$\()dsr ([a-z][^#)\n]*)/gm)].map(([, call = '']) => call.trim()));

it('the pages call dsr as it is: every command is one, and has the options that it is given', () => {
  const wrong = calls.filter((call) => {
    const usage = commands.find(({ words }) => `${call} `.startsWith(`${words} `))?.usage;
    return usage === undefined || [...call.matchAll(/ (--[a-z-]+)/g)].some(([, option = '']) => !new RegExp(`\\[?${option}[ \\]]`).test(`${usage} `));
  });
  expect(wrong).toEqual([]);
  for (const words of ['keys create', 'listen', 'verify']) expect(calls.some((call) => call.startsWith(words))).toBe(true);
});

describe('docs/operating.md', () => {
  const page = readFileSync(join(docs, 'operating.md'), 'utf8');

  it('names every command, and none that there is not', () => {
    const table = page.slice(page.indexOf('## All commands'));
    expect([...table.matchAll(/`dsr ([a-z -]+)`/g)].map(([, words]) => words).sort()).toEqual(commands.map(({ words }) => words).sort());
  });

  it('says what each exit code means', () => {
    const codes = [...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('states the bounds that the doctor goes by', () => {
    const stated = (number: number) => page.includes(number.toLocaleString('en'));
    for (const ms of [CLOCK_WARN_MS, CLOCK_FAIL_MS]) expect(stated(ms)).toBe(true);
    for (const bytes of [FREE_WARN_BYTES, FREE_FAIL_BYTES]) expect(page).toContain(`${(bytes / 1_048_576).toLocaleString('en')} MiB`);
    expect(page).toContain(`before ${OLDEST_KAFKA}`);
    expect(page).toContain(`before ${OLDEST_MONGODB}.0`);
  });

  it('says which commands answer a machine: all that list or check', () => {
    const machine = commands.filter(({ usage }) => usage.includes('[--json]')).map(({ words }) => words);
    expect(machine).toEqual(expect.arrayContaining(commands.map(({ words }) => words).filter((words) => / (list|check|show|apply)$|^doctor$/.test(words))));
  });
});
