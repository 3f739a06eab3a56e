import type { StoresUse } from '../bench/stores-use';
import { figuresOf, PARTS, type CpuMs, type Figures, type Release } from './figures';
import { cpuMsPerCreate, planFor, storesPerCreate, type Plan } from './model';

/** What the page shows; `npm run capacity` takes other numbers. */
export const PAGE_LOADS = [100, 10_000, 100_000].map((createsPerSecond) => ({
  createsPerSecond,
  retentionDays: 90,
  cores: 8,
}));

export const PAGE = 'docs/sizing.md';
const BEGIN = '<!-- npm run reference writes from here -->';
const END = '<!-- to here -->';
const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(titles), row(titles.map(() => '---')), ...rows.map(row)].join('\n');

/** The rows that differ between plans, the same for the page and for the terminal. */
export function planRows(plans: readonly Plan[]): string[][] {
  const counted = plans[0]?.components.map(({ name }, at) => [
    name,
    ...plans.map(({ components }) => GROUPED.format(components[at]?.count ?? 0)),
  ]);
  const line = (title: string, show: (plan: Plan) => string) => [title, ...plans.map(show)];
  return [
    ...(counted ?? []),
    line('disk of each broker, GB', ({ diskGbOfBroker }) => GROUPED.format(diskGbOfBroker)),
    line('disk of each of the 3 members of a shard, GB', ({ diskGbOfShardMember }) =>
      GROUPED.format(diskGbOfShardMember),
    ),
    line('network of Kafka, MB a second', ({ kafkaMbPerSecond }) => kafkaMbPerSecond.toFixed(1)),
    line('network of MongoDB, MB a second', ({ mongodbMbPerSecond }) => mongodbMbPerSecond.toFixed(1)),
    line('saturates first', ({ saturatesFirst: { name, limit } }) => `${name}: ${limit}`),
    line('at so many creates a second', ({ saturatesFirst }) =>
      GROUPED.format(Math.floor(saturatesFirst.carriesPerSecond)),
    ),
  ];
}

export const planTitles = (plans: readonly Plan[]): string[] => [
  'Creates a second',
  ...plans.map(({ createsPerSecond }) => GROUPED.format(createsPerSecond)),
];

const figureRows = (figures: Figures): string[][] => {
  const ms = (title: string, of: CpuMs) => [title, ...PARTS.map((part) => of[part].toFixed(2))];
  return [
    ms('an access request, without callbacks', figures.life),
    ms('a callback', figures.callback),
    ms('a status read', figures.read),
    ['**a create with all that follows**', ...PARTS.map((part) => cpuMsPerCreate(figures, part).toFixed(2))],
  ];
};

function storesRows(stores: StoresUse): string[][] {
  const { writes, bytesIn, bytesOut, bytesWritten, bytesKept } = stores.mongodb;
  const topics = Object.entries(stores.topics).filter(([, { records }]) => records >= 0.01);
  return [
    ['MongoDB, commands that write', writes.toFixed(1)],
    ['MongoDB, bytes in and out', GROUPED.format(bytesIn + bytesOut)],
    ['MongoDB, bytes written to the disk', GROUPED.format(bytesWritten)],
    ['MongoDB, bytes kept', GROUPED.format(bytesKept)],
    ...topics.map(([topic, { records, bytes }]) => [
      `\`${topic}\`, records and bytes`,
      `${records.toFixed(1)}, ${GROUPED.format(bytes)}`,
    ]),
  ];
}

function generated(release: Release): string {
  const figures = figuresOf(release);
  const plans = PAGE_LOADS.map((load) => planFor(figures, load));
  const { startedAt, commit, machine } = release;
  return [
    BEGIN,
    '<!-- prettier-ignore-start -->',
    `Measured on ${startedAt.slice(0, 10)} at commit \`${String(commit)}\`: ${String(machine.cores)} cores of ${machine.cpu.trim()}, Node ${machine.node}, callers and stores on the same machine.`,
    '',
    table(['CPU ms of', ...PARTS], figureRows(figures)),
    '',
    table(['Of one copy, for a create with all that follows', ''], storesRows(storesPerCreate(figures))),
    '',
    'What follows for 90 days, with 8 cores for each broker and each MongoDB server:',
    '',
    table(planTitles(plans), planRows(plans)),
    '<!-- prettier-ignore-end -->',
    END,
  ].join('\n');
}

/** The page with the tables of this release. Throws where the page has no place for them. */
export function sizingText(page: string, release: Release): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the tables`);
  return `${before}${generated(release)}${after}`;
}
