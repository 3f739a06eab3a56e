import { isIngestPath } from './paths';

describe('the ingestion endpoints', () => {
  it.each([
    '/v1/identify',
    '/v1/login',
    '/v1/logout/',
    '/v1/search',
    '/v1/-42/modify',
    '/v1/:mpid(^-?\\d+$)/modify',
    '/v2/events',
    '/v2/bulkevents/',
  ])('include %s', (path) => {
    expect(isIngestPath(path)).toBe(true);
  });

  it.each([
    '/v1/opengdpr_requests',
    '/v1/opengdpr_requests/',
    '/v1/opengdpr_requests/modify',
    '/v1/results/modify',
    '/v1/discovery',
    '/v1/identify/x',
    '/v1/1/2/modify',
    '/v1/modify',
    '/v2/identify',
    '/v1/events',
    '/v2/requests',
    '/v2/eventsx',
    '/internal/exports',
    '/',
    '',
  ])('do not include %s', (path) => {
    expect(isIngestPath(path)).toBe(false);
  });
});
