import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const reports = 'reports';
const ending = '-times.ndjson';

/** Where a suite notes what each of its files took: a line of JSON for each. */
export const timesFile = (suite: string) => join(reports, `${suite}${ending}`);

interface SpecTime {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** What the last run of each suite noted. */
export async function readTimes(folder = reports): Promise<SpecTime[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as SpecTime),
  );
}

/** A table of the files that took most of the processors, and the sum of all. */
export function slowest(times: readonly SpecTime[], count: number): string[] {
  const sum = times.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  const line = (cpu: number, seconds: string, file: string) =>
    `${cpu.toFixed(1).padStart(7)} ${seconds.padStart(7)}  ${file}`;
  return [
    '  CPU s       s  spec',
    ...times
      .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
      .slice(0, count)
      .map(({ cpuSeconds, seconds, file }) => line(cpuSeconds, seconds.toFixed(1), file)),
    line(sum, '', `all ${String(times.length)} specs of the last run of each suite`),
  ];
}
