import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../e2e/repository';
import { anchorsOf, linksOf, pathsOf } from './links';

/** All tracked and new files, without the results of builds and tests. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository(),
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(repository(path)));
const pages = files.filter((path) => path.endsWith('.md'));
const isKept = (path: string): boolean =>
  files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
const textOf = (path: string): string => readFileSync(repository(path), 'utf8');

it.each(pages)('%s links to what is there, heading and all', (path) => {
  const broken = linksOf(textOf(path)).filter(({ file, anchor }) => {
    const target = file === '' ? path : join(dirname(path), file);
    if (!isKept(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(textOf(target)).has(anchor);
  });
  expect(broken).toEqual([]);
});

it.each(pages)('%s names files that are there', (path) => {
  expect(pathsOf(textOf(path)).filter((named) => !isKept(named))).toEqual([]);
});

it('the threat model names a test for every threat', () => {
  const [, chapter = ''] = /^## Who might try what\n(.*?)^### Our own/ms.exec(textOf('docs/threat-model.md')) ?? [];
  const rows = [...chapter.matchAll(/^\| (?!Threat |---)([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  expect(
    rows.filter(([, , shownBy = '']) => !/\.(spec|contract)\.ts`/.test(shownBy)).map(([, threat]) => threat),
  ).toEqual([]);
});

describe('a link', () => {
  it('is found with its heading, but not in code, and not to other sites', () => {
    expect(linksOf('[a](b.md#c) [d](https://e.f) `[g](h)`\n```\n[i](j)\n```\n[k](#l)')).toEqual([
      { file: 'b.md', anchor: 'c' },
      { file: '', anchor: 'l' },
    ]);
  });

  it('names a heading as GitHub does', () => {
    expect([...anchorsOf('# One `two`, *three*: [four](x)\n```\n# five\n```\n## OpenDSRPodsMissing\n')]).toEqual([
      'one-two-three-four',
      'opendsrpodsmissing',
    ]);
  });
});
