import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

type Family = readonly (readonly [pid: number, begun: number | null])[];
type Processes = readonly (readonly [pid: number, { parent: number; begun: number }])[];

/** The family after the update, by the script itself: it is no module of the specs' kind. */
function updated(family: Family, processes: Processes): Family {
  const script = `
    const { update } = await import(${JSON.stringify(join(__dirname, 'family.mjs'))});
    const family = new Map(${JSON.stringify(family)}.map(([pid, begun]) => [pid, begun ?? undefined]));
    update(family, new Map(${JSON.stringify(processes)}));
    console.log(JSON.stringify([...family]));
  `;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  ) as Family;
}

const NOON = Date.UTC(2026, 0, 1, 12);

it.each<[string, Processes]>([
  ['that has ended', []],
  [
    'whose id another process has by now, and what that one has started',
    [
      [7, { parent: 1, begun: NOON + 10_000 }],
      [8, { parent: 7, begun: NOON + 11_000 }],
    ],
  ],
])('drops a process %s', (_what, processes) => {
  expect(updated([[7, NOON]], processes)).toEqual([]);
});

it('keeps a process whose start time wavers by a second', () => {
  expect(updated([[7, NOON]], [[7, { parent: 1, begun: NOON + 1_000 }]])).toEqual([[7, NOON]]);
});

it('takes a start time that it does not know from the list', () => {
  expect(updated([[7, null]], [[7, { parent: 1, begun: NOON }]])).toEqual([[7, NOON]]);
});

it('adds children and their children, in any order of the list', () => {
  const processes: Processes = [
    [3, { parent: 4, begun: NOON }],
    [4, { parent: 7, begun: NOON }],
    [5, { parent: 1, begun: NOON }],
    [7, { parent: 1, begun: NOON }],
  ];
  expect(updated([[7, NOON]], processes)).toEqual([
    [7, NOON],
    [4, NOON],
    [3, NOON],
  ]);
});

it('keeps what a process has started after the end of that', () => {
  expect(
    updated(
      [
        [7, NOON],
        [8, NOON],
      ],
      [[8, { parent: 1, begun: NOON }]],
    ),
  ).toEqual([[8, NOON]]);
});
