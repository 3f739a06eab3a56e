import { appendFileSync } from 'node:fs';
import { openLog } from '../open-log';
import type { OpenLogOptions } from '../open-log';
import type { LogRecord, Verdict } from '../records';
import { MemoryParking } from './memory-parking';
import { until } from './until';

export interface DyingConsumerTask {
  readonly open: OpenLogOptions;
  readonly group: string;
  readonly topic: string;
  /** Where each effect is noted, a value a line. */
  readonly effects: string;
  /** At this value the handler says so on stdout and never answers, so that the spec can kill it in the middle. */
  readonly hangAt: string;
  /** It says so once the group has committed all but this many records. */
  readonly uncommitted: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as DyingConsumerTask;

const opening = openLog(task.open);

async function committed(): Promise<void> {
  const log = await opening;
  await until(async () => {
    const lags = await log.lag(task.group, [task.topic]);
    return lags.reduce((sum, { lag }) => sum + lag, 0) === task.uncommitted;
  });
}

async function handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
  for (const record of records) {
    const value = record.value.toString();
    if (value === task.hangAt) {
      await committed();
      process.stdout.write('hanging\n');
      await new Promise(() => undefined);
    }
    appendFileSync(task.effects, `${value}\n`);
  }
  return records.map(() => 'done');
}

void opening.then((log) =>
  log.consume({
    group: task.group,
    topics: [task.topic],
    handle,
    maxBatch: 10,
    parking: new MemoryParking(),
    isInfrastructureError: () => false,
    onFatal: () => process.exit(3),
  }),
);
