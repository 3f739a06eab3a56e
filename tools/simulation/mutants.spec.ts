import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INVARIANTS } from './invariants';
import { MUTANTS } from './mutants';
import { transform } from './transform';

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  '%s: every declaration that it changes is there',
  (_name, { patches }) => {
    const sources = new Map(patches.map(({ file }) => [file, readFileSync(join(__dirname, '../..', file), 'utf8')]));
    for (const patch of patches) {
      const before = sources.get(patch.file) ?? '';
      const after = transform(before, patch);
      expect(after).not.toBe(before);
      sources.set(patch.file, after);
    }
    expect(patches.length).toBeGreaterThan(0);
  },
);

it('says of each which rules it is to break, by the names that they have', () => {
  const names = INVARIANTS.map(({ name }) => name);
  for (const { breaks } of MUTANTS) {
    expect(breaks.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining([...breaks]));
  }
});
