import type { Operator } from '@opendsr-service/operator-access';
import { awayAnswer, type ProcessAnswer } from '@opendsr-service/operator-answers';
import { ManualClock } from '@opendsr-service/service';
import { OperatorOverview } from './operator-overview';

const away = awayAnswer('results');
const answered = (service: string, parked: ProcessAnswer['parked']): ProcessAnswer => ({
  ...away,
  service,
  state: 'ok',
  version: '0.1.0',
  parked,
});
const viewer: Operator = { subject: 'viewer', grants: [{ role: 'viewer' }] };

it.each([
  [
    'all have counted',
    [answered('gateway', { blocking: 4, aside: 0 }), answered('request', { blocking: 10, aside: 53 })],
    { blocking: 14, aside: 53 },
  ],
  ['one has not counted yet', [answered('gateway', { blocking: 4, aside: 0 }), answered('request', null)], null],
  ['one is away', [answered('gateway', { blocking: 4, aside: 0 }), away], { blocking: 4, aside: 0 }],
  ['all are away', [away], null],
])('sums the parked records of the services that answered, or knows no number: %s', async (_what, services, parked) => {
  const overview = new OperatorOverview({
    listed: { countDated: () => Promise.resolve(0), countFailing: () => Promise.resolve(0) } as never,
    upstreams: { ask: () => Promise.resolve(undefined), processes: () => Promise.resolve(services) },
    clock: new ManualClock(new Date('2026-11-21T12:00:00Z')),
  });
  expect((await overview.read(viewer, undefined)).service?.parked).toEqual(parked);
});
