import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { standaloneTable } from './standalone.config';

const page = readFileSync(join(__dirname, '../../../docs/limits.md'), 'utf8');
const defaults = new Map(Object.entries(standaloneTable).map(([name, { shownDefault }]) => [name, shownDefault]));
/** The default and the setting of each row that names one. */
const documented = new Map(
  [...page.matchAll(/^\|[^|]+\| ([^|]+) \| `([A-Z_]+)` \|/gm)].map(([, shown = '', name = '']) => [name, shown]),
);

describe('docs/limits.md', () => {
  it('names existing settings with their defaults', () => {
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries([...documented.keys()].map((name) => [name, defaults.get(name)])),
    );
  });

  it('leaves no limit out', () => {
    const limits = [...defaults.keys()].filter((name) =>
      /LIMIT|TIMEOUT|KEEP|KEPT|SKEW|VALIDITY|GIVE_UP|CONCURRENCY|BREAKER|SLOW/.test(name),
    );
    expect(limits.filter((name) => !documented.has(name))).toEqual([]);
    expect(limits.length).toBeGreaterThan(20);
  });
});
