import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Controller, Get, Module } from '@nestjs/common';
import { defaultLimits } from '@opendsr-service/edge';
import { main } from '../process/main';
import { serve } from '../serving/serve';
import { NotYetAvailable } from '../process/missing-dependency';
import { checkHttp, httpSettings, choice, int, text } from '@opendsr-service/config';

/** Works without end, without a turn of the event loop. */
async function spin(): Promise<never> {
  for (;;) await Promise.resolve();
}

const ENDS: Readonly<Record<string, () => void>> = {
  exception: () => {
    setImmediate(() => {
      throw new Error('planted');
    });
  },
  exit: () => process.exit(3),
  rejection: () => void Promise.reject(new Error('planted')),
};

@Controller()
class SlowController {
  @Get('slow')
  async slow() {
    process.stdout.write('"slow began"\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { slow: true };
  }

  /** Collects all garbage; V8 prints by how much the heap may grow until the next time. */
  @Get('collect')
  collect() {
    for (const flag of ['--trace-gc-verbose', '--expose-gc']) setFlagsFromString(flag);
    (runInNewContext('gc') as () => void)();
    return { collected: true };
  }

  /** Holds the event loop, by CPU and not by the clock, which goes on while a process is frozen. */
  @Get('busy')
  busy() {
    process.stdout.write('"busy began"\n');
    const end = process.cpuUsage().user + 100_000;
    let rounds = 0;
    while (process.cpuUsage().user < end) rounds += 1;
    return { rounds };
  }
}

@Module({ controllers: [SlowController] })
class Root {}

/** A small program for the specs of `main`: it serves, and fails where its settings say so. */
void main({
  name: 'child',
  meaning: 'a program for specs.',
  table: {
    ...httpSettings,
    FAIL_AT: choice(
      [
        'boot',
        'hanging',
        'waiting',
        'preparing',
        'later',
        'rejection',
        'exception',
        'exit',
        'closing',
        'never-closes',
        'spinning',
        'spinning-on-stop',
        'warning',
      ],
      { meaning: 'What goes wrong.' },
    ),
    LINES: int({
      default: 0,
      min: 0,
      max: 100_000,
      meaning: 'How many lines it logs before its end, and again while it stops.',
    }),
    SECRET: text({ meaning: 'Never printed.' }, /^good$/, 'good'),
  },
  check: checkHttp,
  run: async (values, { log, fatal, waitFor }) => {
    const fails = values.FAIL_AT;
    let count = 0;
    const talk = (): void => {
      for (let line = 0; line < values.LINES; line++) log.info({ count: count++ }, 'Talking');
    };
    if (fails === 'boot') throw new Error('the data folder is held by another process\nby planted');
    if (fails === 'hanging') {
      process.stdout.write('"booting"\n');
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    }
    if (fails === 'waiting') {
      await waitFor('a store', () => {
        process.stdout.write('"asking"\n');
        return Promise.reject(Object.assign(new Error('planted'), { code: 'ECONNREFUSED' }));
      });
    }
    const closing = [
      {
        name: 'store',
        run: async () => {
          process.stdout.write('"store closed"\n');
          talk();
          if (fails === 'closing') throw new Error('planted');
          if (fails === 'spinning-on-stop') await spin();
          if (fails === 'never-closes' || fails === 'preparing') await new Promise(() => undefined);
        },
      },
    ];
    const prepare =
      fails === 'preparing'
        ? [{ name: 'a store', run: () => Promise.reject(new NotYetAvailable('a store', 'it is planted')) }]
        : [];
    const running = await serve({
      module: Root,
      host: values.HOST,
      port: values.PORT,
      adminPort: values.ADMIN_PORT,
      limits: defaultLimits,
      log,
      stopDelayMs: values.STOP_DELAY_MS,
      stopTimeoutMs: values.STOP_TIMEOUT_MS,
      waitFor,
      parts: () => [{ prepare, closing }],
    });
    talk();
    if (fails === 'spinning') void spin();
    if (fails === 'warning') process.emitWarning('planted', 'PlantedWarning');
    if (fails === 'later') fatal(new Error('planted'));
    if (fails !== undefined) ENDS[fails]?.();
    return running;
  },
});
