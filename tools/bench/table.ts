import { callbackTablesOf } from './callbacks-table';
import { alignColumns } from './columns';
import { dataTablesOf } from './data-table';
import { ratios, type Floor } from './floor-ratios';
import { RATES, type BenchResult, type FormResult, type Measured, type Rate } from './result';

const NOT_MEASURED = '-';

const titles: Readonly<Record<Rate, string>> = {
  creates: 'creates',
  reads: 'status reads',
  lives: 'whole lives, flat lag',
};

const columns = ['form', 'what', 'a second', 'p50 ms', 'p99 ms', 'of the floor', 'of one core'];

/** The results as a table of plain text, and below it what each thing costs of the processors. */
export function tableOf(result: BenchResult): string {
  const { floor, forms } = result;
  const rates = [
    columns,
    ...floorRows(floor),
    ...forms.flatMap((form) => RATES.map((name) => rateRow(form, name, floor))),
  ];
  const parts = [
    ...new Set(forms.flatMap((form) => RATES.flatMap((name) => Object.keys(form[name]?.cpuMsEach ?? {})))),
  ];
  const costs = [
    ['form', 'CPU ms for one of', ...parts],
    ...forms.flatMap((form) => RATES.map((name) => costRow(form, name, parts))),
  ];
  const data = dataTablesOf(forms.flatMap(({ form, data: measured }) => (measured ? [{ form, data: measured }] : [])));
  const callbacks = callbackTablesOf(
    forms.flatMap(({ form, callbacks: measured }) => (measured ? [{ form, callbacks: measured }] : [])),
    floor,
  );
  return [alignColumns(rates), ...(parts.length > 0 ? [alignColumns(costs)] : []), ...callbacks, ...data].join('\n\n');
}

const floorRows = (floor: Floor): string[][] => [
  ['floor', 'RSA-2048 signatures', ...rateCells({ perSecond: floor.allCoresPerSecond, spread: null }, floor)],
  ['floor', 'the same, one core', ...rateCells({ perSecond: floor.oneCorePerSecond, spread: null }, floor)],
];

const rateRow = (form: FormResult, name: Rate, floor: Floor): string[] => [
  form.form,
  titles[name],
  ...rateCells(form[name], floor),
];

function rateCells(measured: Pick<Measured, 'perSecond' | 'spread'> | null, floor: Floor): string[] {
  if (!measured) return columns.slice(2).map(() => NOT_MEASURED);
  const { ofAllCores, ofOneCore } = ratios(measured.perSecond, floor);
  return [
    measured.perSecond.toFixed(0),
    tenths(measured.spread?.p50Ms),
    tenths(measured.spread?.p99Ms),
    ofAllCores.toFixed(3),
    ofOneCore.toFixed(3),
  ];
}

const costRow = (form: FormResult, name: Rate, parts: readonly string[]): string[] => [
  form.form,
  titles[name],
  ...parts.map((part) => form[name]?.cpuMsEach[part]?.toFixed(2) ?? NOT_MEASURED),
];

const tenths = (value: number | undefined): string => value?.toFixed(1) ?? NOT_MEASURED;
