import { V1, V2 } from '@opendsr-service/contracts';
import { furtherListeners, isRouteOf } from './further-listeners';

it('serves only the routes of its version, and no others under the root of version 1', () => {
  const patterns = [
    '/v1/opengdpr_requests',
    '/v1/opengdpr_requests/:srid',
    '/v1/discovery',
    '/v1/certificates/:file',
    '/v1/results/:token',
  ];
  const others = [
    '/v1/identify',
    '/v1/search',
    '/v1/:mpid/modify',
    '/v1/opengdpr_requests_of_others',
    '/v2/requests',
    '/v2/discovery',
    '/openapi/:file',
    '/docs',
    '/livez',
  ];
  expect(patterns.filter(isRouteOf(V1))).toEqual(patterns);
  expect(others.filter(isRouteOf(V1))).toEqual([]);
  expect([...patterns, ...others].filter(isRouteOf(V2))).toEqual(['/v2/requests', '/v2/discovery']);
});

it('exists only if version 1 is served and has a port', () => {
  const of = { SERVE_V1: true, PORT_V1: undefined, OPERATOR_PORT: undefined };
  expect(furtherListeners({ ...of, PORT_V1: 8081 }).map(({ port }) => port)).toEqual([8081]);
  expect(furtherListeners(of)).toEqual([]);
  expect(furtherListeners({ ...of, SERVE_V1: false, PORT_V1: 8081 })).toEqual([]);
});

it('serves operators the console, its API and the public log, which stays on the public port too', () => {
  const [listener] = furtherListeners({ SERVE_V1: false, PORT_V1: undefined, OPERATOR_PORT: 8083 });
  const patterns = ['/console/*', '/operator/v1/requests', '/transparency/tile/*', '/v2/requests', '/livez'];
  expect(patterns.filter((path) => listener?.owns(path))).toEqual(['/console/*', '/operator/v1/requests']);
  expect(patterns.filter((path) => listener?.shares?.(path))).toEqual(['/transparency/tile/*']);
});
