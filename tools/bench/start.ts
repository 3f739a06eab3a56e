import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../e2e/free-ports';
import type { Environment } from '../e2e/child-service';
import { noRateLimits } from '../e2e/service';
import { spawnStandalone } from '../e2e/standalone';
import { until } from '../receiver/until';
import { requestMaker } from './request-body';

const account = { SANDBOX_KEY: 'bench-key', SANDBOX_SECRET: 'bench-secret-of-the-sandbox' };
const authorization = `Basic ${Buffer.from(`${account.SANDBOX_KEY}:${account.SANDBOX_SECRET}`).toString('base64')}`;

/** Milliseconds from the begin of the standalone process to its first 201. */
export interface StartMeasured {
  /** In an empty folder: it makes keys, certificates and stores, and compiles itself. */
  readonly firstMs: number;
  /** In the folder of the run before, compiled already. */
  readonly againMs: number;
}

/** Starts the service as `npm start` does, twice. */
export async function measureStart(): Promise<StartMeasured> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-bench-'));
  try {
    return { firstMs: await untilFirstAnswer(folder), againMs: await untilFirstAnswer(folder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function untilFirstAnswer(folder: string): Promise<number> {
  const [port = 0, adminPort = 0] = await freePorts(2);
  const env: Environment = {
    ...{ HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), DATA_DIR: join(folder, 'data') },
    ...{ NODE_COMPILE_CACHE: join(folder, 'compiled'), ...account, ...noRateLimits },
  };
  const make = requestMaker(new Date());
  const create = () =>
    fetch(`http://127.0.0.1:${String(port)}/v2/requests`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: make().body,
    }).then(
      ({ status }) => status === 201,
      () => false,
    );
  const began = performance.now();
  const child = spawnStandalone(env);
  try {
    await until('the first 201', create);
    return performance.now() - began;
  } finally {
    await child.stop('SIGTERM');
  }
}
