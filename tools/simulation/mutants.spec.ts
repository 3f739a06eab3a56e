import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apply } from './bundle';
import { INVARIANTS } from './invariants';
import { MUTANTS } from './mutants';

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  '%s: what it replaces stands in the sources exactly once',
  (_name, { patches }) => {
    const sources = new Map(patches.map(({ file }) => [file, readFileSync(join(__dirname, '../..', file), 'utf8')]));
    for (const patch of patches) sources.set(patch.file, apply(sources.get(patch.file) as string, patch));
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

it('refuses a patch whose text is not there, or there twice', () => {
  expect(() => apply('a b a', { file: 'f', find: 'c', replace: '' })).toThrow('f does not hold exactly once: c');
  expect(() => apply('a b a', { file: 'f', find: 'a', replace: '' })).toThrow('exactly once');
});
