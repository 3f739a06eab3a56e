import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from './commands';

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
