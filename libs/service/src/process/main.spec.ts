import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { itInFull, startsChildren, type Child } from '../testing/run-child';

const firstProcess = ['--pid', '--fork', '--kill-child', '--mount-proc'];

const start = startsChildren();
const listening = async (child: Child) => (await child.line('"Listening"')) as { port: number; adminPort: number };

/** The status of a GET and its headers, or the code of the failure. */
const get = (port: number, path: string) =>
  new Promise<{ status?: number; connection?: string; code?: string }>((resolve) => {
    request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection });
      });
    })
      .on('error', (error: NodeJS.ErrnoException) => {
        resolve({ code: error.code });
      })
      .end();
  });

describe('starting', () => {
  itInFull('prints the settings for --help and ends with 0', async () => {
    const child = start({ PORT: 'bad' }, ['--help']);
    expect(await child.ended).toBe(0);
    expect(child.output).toMatch(/^child: a program for specs\.\n/);
    for (const name of ['PORT', 'FAIL_AT', 'LOG_LEVEL', 'STOP_TIMEOUT_MS'])
      expect(child.output).toContain(`  ${name}  (`);
  });

  itInFull('refuses other arguments', async () => {
    const child = start({}, ['planted']);
    expect([await child.ended, child.complaint]).toEqual([1, 'child: takes no arguments but --help\n']);
  });

  it('prints a line for every bad setting, without its value, and exits with 1', async () => {
    const child = start({ PORT: 'planted', SECRET: 'planted', LOG_LEVEL: 'planted' });
    expect(await child.ended).toBe(1);
    expect(child.complaint).toBe(
      'child: PORT: must be a whole number from 0 to 65535\nchild: SECRET: must be good\nchild: LOG_LEVEL: must be debug or info or warn or error\n',
    );
    expect(child.output).toBe('');
  });

  itInFull('refuses a limit for its event loop that work of any kind would reach', async () => {
    const child = start({ LOOP_STALL_LIMIT_MS: '999ms' });
    expect([await child.ended, child.complaint]).toEqual([
      1,
      'child: LOOP_STALL_LIMIT_MS: must be a duration from 1s to 22d\n',
    ]);
  });

  const whenPortIsTaken = ['prints one line for an occupied port in %s, and exits with 1', refusesTakenPort] as const;
  itInFull.each(['PORT', 'ADMIN_PORT'])(...whenPortIsTaken);

  async function refusesTakenPort(name: string): Promise<void> {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const child = start({ [name]: String(port) });
    expect([await child.ended, child.complaint]).toEqual([1, `child: port ${port} on 127.0.0.1 is taken\n`]);
    expect(child.output).toContain('store closed');
    holder.close();
  }

  itInFull('prints any other failure in one line without a stack, and exits with 1', async () => {
    const child = start({ FAIL_AT: 'boot' });
    expect([await child.ended, child.complaint]).toEqual([1, 'child: the data folder is held by another process\n']);
  });
});

describe('waiting', () => {
  itInFull('prints the missing dependency in one line at the start limit, and exits with 1', async () => {
    const child = start({ FAIL_AT: 'waiting', START_TIMEOUT_MS: '100ms' });
    expect([await child.ended, child.complaint]).toEqual([
      1,
      'child: waited 0.1 s (START_TIMEOUT_MS) for a store: it refuses connections\n',
    ]);
    expect(child.output).not.toContain('planted');
  });

  itInFull('prints it before the stop, which may hang on the same dependency', async () => {
    const child = start({ FAIL_AT: 'preparing', START_TIMEOUT_MS: '100ms' });
    await child.complained();
    child.kill('SIGTERM');
    expect([await child.ended, child.complaint]).toEqual([
      1,
      'child: waited 0.1 s (START_TIMEOUT_MS) for a store: it is planted\n',
    ]);
    // It was still there to hear the signal.
    expect(child.output).toContain('"Stopping"');
  });

  itInFull('ends at once on SIGTERM', async () => {
    const child = start({ FAIL_AT: 'waiting', START_TIMEOUT_MS: '1h' });
    await child.line('asking');
    child.kill('SIGTERM');
    expect([await child.ended, child.complaint]).toEqual([1, '']);
  });
});

describe('going on', () => {
  const whenItMustNotLive = [
    'ends with 1 and one line of log on what it must not live with (%s), without the message',
    endsSilently,
  ] as const;
  itInFull.each(['rejection', 'later'])(...whenItMustNotLive);

  async function endsSilently(fails: string): Promise<void> {
    const child = start({ FAIL_AT: fails });
    expect(await child.ended).toBe(1);
    expect(await child.line('"fatal"')).toMatchObject({ level: 'fatal', app: 'child', error: { name: 'Error' } });
    expect(child.output + child.complaint).not.toContain('planted');
  }
});

it('lets the heap grow to twice what is alive before all of it is collected', async () => {
  const child = start();
  const { port } = await listening(child);
  expect((await get(port, '/collect')).status).toBe(200);
  while (!/HeapController\] factor/.test(child.output)) await child.nextOutput();
  expect(child.output).toContain('[HeapController] factor 2.0 ');
});

describe('warnings of Node', () => {
  itInFull('are one log line each, with name and stack, and no plain text', async () => {
    const child = start({ FAIL_AT: 'warning' });
    expect(await child.line('Node warns')).toMatchObject({
      level: 'warn',
      app: 'child',
      error: { name: 'PlantedWarning', stack: expect.stringContaining('child.mjs') as string },
    });
    child.kill('SIGTERM');
    expect([await child.ended, child.complaint]).toEqual([0, '']);
    expect(child.output).not.toContain('planted');
  });
});

describe('an event loop that does not turn', () => {
  itInFull('ends the process with 1 and one line of log', async () => {
    const child = start({ FAIL_AT: 'spinning', LOOP_STALL_LIMIT_MS: '2s' });
    expect([await child.ended, child.complaint]).toEqual([1, '']);
    expect(await child.line('does not turn')).toMatchObject({ level: 'fatal', app: 'child', limitMs: 2_000 });
  });

  it('keeps no stop from ending with 1 at its limit', async () => {
    const child = start({ FAIL_AT: 'spinning-on-stop', STOP_TIMEOUT_MS: '300ms' });
    await listening(child);
    child.kill('SIGTERM');
    expect([await child.ended, child.complaint]).toEqual([1, '']);
    expect(await child.line('took too long')).toMatchObject({ level: 'error', app: 'child', limitMs: 300 });
  });

  itInFull('is none where the whole process was frozen for longer than the limit', async () => {
    const child = start({ LOOP_STALL_LIMIT_MS: '5s' });
    const { port } = await listening(child);
    // The thread has looked several times.
    for (let n = 0; n < 5; n++) await get(port, '/slow');
    const busy = get(port, '/busy');
    await child.line('busy began');
    child.kill('SIGSTOP');
    await sleep(7_000);
    child.kill('SIGCONT');
    expect((await busy).status).toBe(200);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });
});

describe('stopping', () => {
  const whenItStops = [
    'finishes what is in flight on %s, then closes the stores, and ends with 0',
    finishesWork,
  ] as const;
  it.each(['SIGTERM'] as const)(...whenItStops);
  itInFull.each(['SIGINT'] as const)(...whenItStops);

  async function finishesWork(signal: NodeJS.Signals): Promise<void> {
    const child = start();
    const { port, adminPort } = await listening(child);
    const slow = get(port, '/slow');
    await child.line('slow began');
    child.kill(signal);
    expect(await slow).toMatchObject({ status: 200 });
    expect(await child.ended).toBe(0);
    expect(child.output).toContain('store closed');
    expect(await get(port, '/slow')).toEqual({ code: 'ECONNREFUSED' });
    expect(await get(adminPort, '/livez')).toEqual({ code: 'ECONNREFUSED' });
  }

  it('is not ready during the stop delay, but still serves and closes connections', async () => {
    const child = start({ STOP_DELAY_MS: '10min' });
    const { port, adminPort } = await listening(child);
    expect((await get(adminPort, '/readyz')).status).toBe(200);
    child.kill('SIGTERM');
    await child.line('"Stopping"');
    expect((await get(adminPort, '/readyz')).status).toBe(503);
    expect(await get(port, '/slow')).toEqual({ status: 200, connection: 'close' });
    child.kill('SIGTERM');
    expect(await child.ended).toBe(1);
  });

  itInFull('has a stop limit that excludes the stop delay', async () => {
    const child = start({ STOP_DELAY_MS: '11s', STOP_TIMEOUT_MS: '10s' });
    await listening(child);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  itInFull('ends at once while it is still booting', async () => {
    const child = start({ FAIL_AT: 'hanging' });
    await child.line('booting');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(1);
  });

  itInFull('ends with 1 when a step failed, the others done', async () => {
    const child = start({ FAIL_AT: 'closing' });
    await listening(child);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(await child.line('A step of stopping failed')).toMatchObject({ step: 'store' });
  });

  // A loop that does not turn shows the same in each run.
  itInFull('exits with 1 at its limit', async () => {
    const child = start({ FAIL_AT: 'never-closes', STOP_TIMEOUT_MS: '300ms' });
    await listening(child);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(await child.line('took too long')).toMatchObject({ limitMs: 300 });
  });

  // Who may not make namespaces, as in many containers, cannot try it.
  const mayBeFirst = spawnSync('unshare', [...firstProcess, 'true']).status === 0;
  (mayBeFirst ? itInFull : it.skip)(
    'ends with 1 as the first process of a container, though its event loop does not turn',
    async () => {
      const child = start({ FAIL_AT: 'spinning', LOOP_STALL_LIMIT_MS: '2s' }, [], firstProcess);
      expect(await child.ended).toBe(1);
    },
  );

  (mayBeFirst ? it : it.skip)(
    'ends with 0 on SIGTERM as the first process of a container, where signals have no default action',
    async () => {
      const child = start({}, [], firstProcess);
      const { adminPort } = await listening(child);
      expect((await get(adminPort, '/livez')).status).toBe(200);
      await child.killInner('SIGTERM');
      expect(await child.ended).toBe(0);
      expect(child.output).toContain('store closed');
    },
  );

  itInFull('ends at once on a second signal', async () => {
    const child = start({ FAIL_AT: 'never-closes', STOP_TIMEOUT_MS: '10min' });
    await listening(child);
    child.kill('SIGTERM');
    await child.line('store closed');
    child.kill('SIGINT');
    expect(await child.ended).toBe(1);
  });
});
