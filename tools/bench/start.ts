import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../e2e/free-ports';
import type { Environment } from '../e2e/child-service';
import { noRateLimits } from '../e2e/service';
import { spawnStandalone } from '../e2e/standalone';
import { until } from '../receiver/until';
import { openConnections } from './connections';
import { requestMaker } from './request-body';
import type { StartMeasured } from './start-result';

const account = { key: 'bench-key', secret: 'bench-secret-of-the-sandbox' };

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
    ...{ NODE_COMPILE_CACHE: join(folder, 'compiled'), ...noRateLimits },
    ...{ SANDBOX_KEY: account.key, SANDBOX_SECRET: account.secret },
  };
  const make = requestMaker(new Date());
  const [connection] = openConnections({ baseUrls: [`http://127.0.0.1:${String(port)}`], ...account, count: 1 });
  const create = async () => (await connection?.call('POST', '/v2/requests', make().body))?.status === 201;
  const began = performance.now();
  const child = spawnStandalone(env);
  try {
    await until('the first 201', create);
    return performance.now() - began;
  } finally {
    await connection?.close();
    await child.stop('SIGTERM');
  }
}
