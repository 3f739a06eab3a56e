import 'reflect-metadata';
import { until } from '@opendsr-service/messaging/testing';
import { serveForTests } from '../testing/serve-for-tests';

const here = serveForTests({ SERVE_V1: 'true', PORT_V1: '0', RATE_LIMIT_CALLS_PER_MINUTE: '4' });

it('measures calls of both versions, also refused ones, by route, status and class of their workspace', async () => {
  const id = '6f2e1f2c-5d1b-4e49-8a34-2f6f0f1f4a11';
  const [v1 = here.service.port] = here.service.morePorts;
  for (const [path, port, anonymous] of [
    [`/v2/requests/${id}`],
    [`/v1/opengdpr_requests/${id}`, v1],
    [`/v2/requests/${id}`, here.service.port, true],
    ['/v2/discovery', here.service.port, true],
    [`/${id}`, v1],
  ] as const) {
    await here.service.call('GET', path, { port, anonymous });
  }
  for (let n = 0; n < 3; n++) await here.service.call('GET', `/v2/requests/${id}`);
  const counted = async () =>
    [
      ...(await here.service.metrics()).matchAll(
        /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="([^"]+)",http_response_status_code="(\d+)",workspace_class="([^"]+)"\} (\d+)$/gm,
      ),
    ].map((match) => match.slice(1).join(' '));
  // An answer has come before it is counted.
  await until(async () => (await counted()).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0) === 8);
  expect((await counted()).sort()).toEqual([
    '/v1/opengdpr_requests/:srid 404 sandbox 1',
    '/v2/discovery 200 none 1',
    '/v2/requests/:srid 401 none 1',
    '/v2/requests/:srid 404 sandbox 3',
    '/v2/requests/:srid 429 sandbox 1',
    '_other 404 none 1',
  ]);
  expect(await here.service.metrics()).not.toContain(id);
});
