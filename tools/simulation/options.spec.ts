import { readOptions } from './options';

it('takes a fresh seed and ten thousand lives where nothing is said', () => {
  expect(readOptions([], 42)).toMatchObject({
    lives: 10_000,
    seed: 42,
    mutants: undefined,
    original: true,
    diary: false,
  });
});

it('replays the seed that it is given', () => {
  expect(readOptions(['--seed', '7', '--lives', '1', '--diary'], 42)).toMatchObject({ lives: 1, seed: 7, diary: true });
});

it('has a crowded world unless it is told otherwise', () => {
  expect([readOptions([], 42).crowd, readOptions(['--no-crowd'], 42).crowd]).toEqual([true, false]);
});

it.each([
  ['--lives', '0'],
  ['--lives', 'many'],
  ['--seed', '-1'],
  ['--seed', '1.5'],
])('refuses %s %s', (option, value) => {
  expect(() => readOptions([`${option}=${value}`], 1)).toThrow(`${option} is a whole number`);
});
