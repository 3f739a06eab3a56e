import { createLogger } from '@opendsr-service/service';
import { StatusMetrics } from './status-metrics';

it('counts each written status by type and version from zero, and logs one line with the id of the request', () => {
  const lines: string[] = [];
  const transitions = new StatusMetrics(createLogger('gateway', 'info', { write: (line) => void lines.push(line) }));
  const request = {
    ws: 'acme',
    srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
    type: 'erasure',
    apiVersion: '1.0',
    seq: 1,
  } as const;
  transitions.record({ ...request, status: 'pending' });
  transitions.record({ ...request, status: 'pending' });
  transitions.record({ ...request, status: 'cancelled', seq: 2 });
  const samples = transitions.metric.read();
  expect(samples).toHaveLength(24);
  expect(samples.filter(({ value }) => value > 0)).toEqual([
    { labels: { type: 'erasure', status: 'pending', version: 'v1' }, value: 2 },
    { labels: { type: 'erasure', status: 'cancelled', version: 'v1' }, value: 1 },
  ]);
  const { ws, srid } = request;
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({
    level: 'info',
    msg: 'A request was cancelled',
    ws,
    srid,
    requestType: 'erasure',
    requestStatus: 'cancelled',
    seq: 2,
  });
});
