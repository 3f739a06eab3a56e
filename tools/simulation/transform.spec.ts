import { addBeside, addMethod, all, replaceCalls, returnInstead, setProperty, transform, type Edit } from './transform';

const source = `
class Store {
  find(id) {
    const filter = { id, v: id - 1 };
    return this.first([filter].every((one) => one));
  }
  other() {
    return { v: 2 };
  }
}
function twice(n) {
  if (n === 0) return 0;
  return n * 2;
}
`;
const changed = (symbol: string, edit: Edit) => transform(source, { file: 'store.ts', symbol, edit });

it('sets and takes out properties within one declaration only', () => {
  const older = setProperty('v', (old) => old.replace(/^(.+) - 1$/, '{ $lt: $1 }'));
  expect(changed('Store.find', older)).toBe(source.replace('v: id - 1', 'v: { $lt: id }'));
  expect(
    changed(
      'Store.other',
      setProperty('v', () => undefined),
    ),
  ).toBe(source.replace('{ v: 2 }', '{ ...{} }'));
});

it('adds beside a property, to a class, and several at once', () => {
  const both = all(
    addBeside('id', 'a: 1'),
    setProperty('v', () => '0'),
  );
  expect(changed('Store.find.filter', both)).toBe(source.replace('{ id, v: id - 1 }', '{ a: 1, id, v: 0 }'));
  expect(changed('Store', addMethod('more() {}'))).toContain('more() {}\n\n  find(id) {');
});

it('replaces calls and what is returned last', () => {
  const some = replaceCalls('every', (call) => call.getText().replace('every', 'some'));
  expect(changed('Store.find', some)).toBe(source.replace('every', 'some'));
  expect(
    changed(
      'twice',
      returnInstead((old) => `1 + ${old}`),
    ),
  ).toBe(source.replace('n * 2', '1 + n * 2'));
});

it('works with any formatting', () => {
  const dense = 'class Store{find(id){const filter={id,v:id-1};return filter}}';
  const edit = setProperty('v', () => '0');
  expect(transform(dense, { file: 'store.ts', symbol: 'Store.find', edit })).toBe(dense.replace('v:id-1', 'v: 0'));
});

it('refuses a declaration that is not there, and one with nothing to change', () => {
  expect(() => changed('Store.gone', addMethod('x() {}'))).toThrow('store.ts declares no Store.gone');
  const none = setProperty('gone', () => '0');
  expect(() => changed('Store.find', none)).toThrow('Store.find in store.ts has nothing to change');
  const some = all(none, addBeside('id', 'a: 1'));
  expect(() => changed('Store.find', some)).toThrow('Store.find in store.ts has nothing to change');
});
