import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { serveForTests } from '../../testing/serve-for-tests';

const here = serveForTests({ RATE_LIMIT_CALLS_PER_MINUTE: '6', RATE_LIMIT_CREATES_PER_DAY: '1' });

it('calls about callbacks need credentials, and count as calls but not as creates', async () => {
  const routes = ['/v2/requests', '/v1/opengdpr_requests'].map((requests) => `${requests}/${randomUUID()}/callbacks`);
  const calls = routes.flatMap(
    (route) =>
      [
        ['GET', route],
        ['POST', `${route}/${randomUUID()}/replay`],
        ['POST', `${route}/${randomUUID()}/replay/`],
      ] as const,
  );
  const statuses = async (anonymous: boolean) =>
    (await Promise.all(calls.map(([method, path]) => here.service.call(method, path, { anonymous })))).map(
      ({ status }) => status,
    );
  expect(await statuses(true)).toEqual([401, 401, 401, 401, 401, 401]);
  expect(await statuses(false)).toEqual([404, 404, 404, 404, 404, 404]);
  expect(await statuses(false)).toEqual([429, 429, 429, 429, 429, 429]);
});
