import { OPEN_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { outboxAgeGauge, overdueWorkGauge, type Clock, type Metric, type StoreGauge } from '@opendsr-service/service';
import type { KeyRotation } from '@opendsr-service/vault';
import { LOG_REFUSALS } from '../evidence/log-refused';
import type { PublishedLog } from '../evidence/published-log';
import type { Sequencer } from '../evidence/sequencer';
import type { AdmissionMeasures } from './admission-measures.store';

const MAX_OPEN_COUNTED = 100_000;
const MAX_LATE_COUNTED = 10_000;

export const gatewayMeasures = (
  clock: Clock,
  requests: AdmissionMeasures,
  log: Pick<PublishedLog, 'oldestUncovered'>,
  rotation?: Pick<KeyRotation, 'dueSince'>,
): readonly StoreGauge[] => [
  outboxAgeGauge(clock, 'commands', (now) => requests.oldestCommand(now)),
  overdueWorkGauge(clock, {
    start: (now) => requests.oldestDueStart(now),
    keys: (now) => requests.oldestDueKey(now),
    attestation: (now) => requests.oldestUnattested(now),
    checkpoint: () => log.oldestUncovered(),
    ...(rotation && { rotation: (now: Date) => rotation.dueSince(now) }),
  }),
  {
    name: 'opendsr_requests',
    help: `Requests that have not ended; each series counts up to ${MAX_OPEN_COUNTED}.`,
    labels: ['type', 'status'],
    measure: async () => {
      if (!(await requests.anyOpen())) return open.map((labels) => ({ labels, value: 0 }));
      // One after the other, as counts of many keep a core of the store busy.
      return Array.fromAsync(open, async (labels) => ({
        labels,
        value: await requests.countOpen(labels, MAX_OPEN_COUNTED),
      }));
    },
  },
  {
    name: 'opendsr_requests_past_expected',
    help: `Requests that have not ended though their expected completion time is past; each status counts up to ${MAX_LATE_COUNTED}.`,
    labels: ['type'],
    measure: async () => {
      const now = clock.now();
      if (!(await requests.anyOpen())) return REQUEST_TYPES.map((type) => ({ labels: { type }, value: 0 }));
      return Array.fromAsync(REQUEST_TYPES, async (type) => {
        const counts = await Array.fromAsync(OPEN_STATUSES, (status) =>
          requests.countLate({ type, status }, now, MAX_LATE_COUNTED),
        );
        return { labels: { type }, value: counts.reduce((sum, count) => sum + count, 0) };
      });
    },
  },
];

const open = REQUEST_TYPES.flatMap((type) => OPEN_STATUSES.map((status) => ({ type, status })));

export const refusalMetric = (sequencer: Pick<Sequencer, 'refused'>): Metric => ({
  kind: 'gauge',
  name: 'opendsr_transparency_refused',
  help: 'Whether this process refuses to sign the transparency log, by reason: 1 while it does.',
  labels: ['reason'],
  read: () =>
    LOG_REFUSALS.map((reason) => ({ labels: { reason }, value: sequencer.refused?.reason === reason ? 1 : 0 })),
});
