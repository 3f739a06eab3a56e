import { callbackTablesOf } from './callbacks-table';
import { alignColumns, spreadCells, type OfForm } from './columns';
import { consoleTablesOf } from './console-result';
import { dataTablesOf } from './data-table';
import { ratios, type Floor } from './floor-ratios';
import { grownTable } from './grown-result';
import { startTable } from './start-result';
import { operationsTable } from './operations-result';
import { overloadTablesOf } from './overload-table';
import { cpuMsOfService, RATES, type BenchResult, type FormResult, type Measured, type Rate } from './result';

const NOT_MEASURED = '-';

const titles: Readonly<Record<Rate, string>> = {
  creates: 'creates',
  reads: 'status reads',
  steady: 'creates, at this rate',
  lives: 'whole lives, flat lag',
};

const columns = ['form', 'what', 'CPU ms', 'of before', 'a second', 'p50 ms', 'p99 ms', 'of the floor', 'of one core'];

/**
 * The results as a table of plain text, and below it what each thing costs of the processors. `before`: an earlier result
 * to compare the CPU time with; it says most where it comes from the same machine.
 */
export function tableOf(result: BenchResult, before?: Pick<BenchResult, 'forms'>): string {
  const { floor, forms } = result;
  const rates = [
    columns,
    ...floorRows(floor),
    ...forms.flatMap((form) =>
      RATES.map((name) => rateRow(form, name, { floor, before: earlier(before, form, name) })),
    ),
  ];
  const costsOf = (form: FormResult) => [...RATES.map((name) => form[name]?.cpuMsEach ?? {}), form.idle ?? {}];
  const parts = [...new Set(forms.flatMap(costsOf).flatMap(Object.keys))];
  const costs = [
    ['form', 'CPU ms for one of', ...parts],
    ...forms.flatMap((form) => RATES.map((name) => costRow([form.form, titles[name]], form[name]?.cpuMsEach, parts))),
    ...forms.map(({ form, idle }) => costRow([form, 'idle seconds'], idle, parts)),
  ];
  return [
    alignColumns(rates),
    ...(parts.length > 0 ? [alignColumns(costs)] : []),
    ...overloadTablesOf(having(forms, 'overload')),
    ...having(forms, 'operations').map(({ measured }) => operationsTable(measured)),
    ...callbackTablesOf(having(forms, 'callbacks'), floor),
    ...dataTablesOf(having(forms, 'data')),
    ...having(forms, 'grown').map(({ form, measured }) => grownTable(form, measured)),
    ...having(forms, 'start').map(({ measured }) => startTable(measured)),
    ...consoleTablesOf(having(forms, 'console')),
  ].join('\n\n');
}

/** What was measured of those forms of which it was. */
const having = <K extends keyof FormResult>(forms: readonly FormResult[], name: K) =>
  forms.flatMap(({ form, [name]: measured }): OfForm<NonNullable<FormResult[K]>>[] =>
    measured ? [{ form, measured }] : [],
  );

const uncounted = { spread: null, cpuMsEach: {} };

const earlier = (before: Pick<BenchResult, 'forms'> | undefined, { form }: FormResult, name: Rate) =>
  before?.forms.find((one) => one.form === form)?.[name] ?? undefined;

interface Beside {
  readonly floor: Floor;
  readonly before?: Measured | undefined;
}

const floorRows = (floor: Floor): string[][] => [
  ['floor', 'RSA-2048 signatures', ...rateCells({ perSecond: floor.allCoresPerSecond, ...uncounted }, { floor })],
  ['floor', 'the same, one core', ...rateCells({ perSecond: floor.oneCorePerSecond, ...uncounted }, { floor })],
];

const rateRow = (form: FormResult, name: Rate, beside: Beside): string[] => [
  form.form,
  titles[name],
  ...rateCells(form[name], beside),
];

function rateCells(
  measured: Pick<Measured, 'perSecond' | 'spread' | 'cpuMsEach'> | null,
  { floor, before }: Beside,
): string[] {
  if (!measured) return columns.slice(2).map(() => NOT_MEASURED);
  const { ofAllCores, ofOneCore } = ratios(measured.perSecond, floor);
  const cpuMs = cpuMsOfService(measured.cpuMsEach);
  const cpuMsBefore = cpuMsOfService(before?.cpuMsEach ?? {});
  return [
    cpuMs?.toFixed(2) ?? NOT_MEASURED,
    cpuMs && cpuMsBefore ? (cpuMs / cpuMsBefore).toFixed(2) : NOT_MEASURED,
    measured.perSecond.toFixed(0),
    ...spreadCells(measured.spread),
    ofAllCores.toFixed(3),
    ofOneCore.toFixed(3),
  ];
}

const costRow = (
  names: readonly string[],
  cpuMs: Measured['cpuMsEach'] | null | undefined,
  parts: readonly string[],
): string[] => [...names, ...parts.map((part) => cpuMs?.[part]?.toFixed(2) ?? NOT_MEASURED)];
