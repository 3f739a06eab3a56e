import { checkNewWorkspace } from './new-workspace';

const acme = { ws: 'acme', name: 'Acme, EU' };

it('accepts ids that are safe in keys and paths, names of one line, any controller id, and one word as class', () => {
  for (const good of [
    acme,
    { ...acme, ws: 'a' },
    { ...acme, ws: '7-b'.padEnd(63, 'x') },
    { ...acme, name: 'Ä'.repeat(128) },
    { ...acme, controllerId: '1402' },
    { ...acme, controllerId: 'urn:acme/€' },
    { ...acme, class: 'a' },
    { ...acme, class: 'gold-2'.padEnd(20, 'x') },
  ]) {
    expect(() => {
      checkNewWorkspace(good);
    }).not.toThrow();
  }
});

it.each([
  ['ws', ['', 'Acme', 'a:b', 'a b', 'a|b', 'a/b', 'a.b', '-a', 'a-', 'x'.repeat(64), 'a\n']],
  ['name', ['', ' ', ' a', 'a ', 'a\nb', 'a\u0000', '\ud800', 'x'.repeat(129)]],
  ['controllerId', ['', 'a b', 'a\n', '\ud800', 'x'.repeat(129)]],
  ['class', ['', 'Gold', '2nd', '-a', 'a b', 'a.b', 'a/b', 'a\n', 'x'.repeat(21), 'none', 'other']],
])('refuses an invalid %s', (field, bad) => {
  for (const value of bad)
    expect(() => {
      checkNewWorkspace({ ...acme, [field]: value });
    }).toThrow(TypeError);
});
