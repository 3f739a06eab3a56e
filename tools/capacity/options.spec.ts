import { readOptions } from './options';

it('plans for the loads of the page, if nothing is said', () => {
  const { loads, json } = readOptions([]);
  expect(loads.map(({ createsPerSecond }) => createsPerSecond)).toEqual([100, 10_000, 100_000]);
  expect([loads[0], json]).toEqual([{ createsPerSecond: 100, retentionDays: 90, cores: 8 }, false]);
});

it('takes a load, days, cores and a form', () => {
  expect(readOptions(['--creates', '250', '--retention', '400', '--cores', '4', '--json'])).toEqual({
    loads: [{ createsPerSecond: 250, retentionDays: 400, cores: 4 }],
    json: true,
  });
});

it.each([[['--creates', '0']], [['--retention', 'x']], [['--cores', '-1']], [['--unknown']]])('refuses %j', (args) => {
  expect(() => readOptions(args)).toThrow();
});
