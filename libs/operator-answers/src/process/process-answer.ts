import type { Shape } from '@opendsr-service/contracts';
import type { OwnProcess, Sample } from '@opendsr-service/service';
import type { OPERATOR_SERVICE } from './process-schemas';

export type ProcessAnswer = Shape<typeof OPERATOR_SERVICE>;

const DAY_MS = 86_400_000;

/** What a process says of itself, from memory. */
export async function processAnswer(own: OwnProcess, now: Date): Promise<ProcessAnswer> {
  const { status, checks } = await own.ready();
  return {
    ...{
      service: own.name,
      state: status,
      version: own.version,
      uptime_seconds: own.uptimeSeconds,
      checks: { ...checks },
    },
    consumer_groups: groupsOf(own),
    outboxes: own
      .samples('opendsr_outbox_oldest_age_seconds')
      .map(({ labels, value }) => ({ outbox: labels.outbox ?? '', oldest_age_seconds: value })),
    overdue_work: own
      .samples('opendsr_overdue_seconds')
      .map(({ labels, value }) => ({ work: labels.work ?? '', overdue_seconds: value })),
    parked: parkedOf(own.completeSamples('opendsr_parked_records')),
    certificates: own
      .samples('opendsr_signing_certificate_expiry_timestamp_seconds')
      .map(({ labels, value }) => certificateOf(labels.version, value * 1_000, now)),
    settings: own.settings.map(({ name, value, isHidden }) => ({ name, value: value ?? null, hidden: isHidden })),
  };
}

/** A service that did not answer. */
export const awayAnswer = (service: string): ProcessAnswer => ({
  service,
  state: 'unavailable',
  version: null,
  uptime_seconds: null,
  checks: null,
  consumer_groups: [],
  outboxes: [],
  overdue_work: [],
  parked: null,
  certificates: [],
  settings: [],
});

function groupsOf(own: OwnProcess): ProcessAnswer['consumer_groups'] {
  const lags = own.samples('opendsr_consumer_lag_records');
  const present = own.samples('opendsr_consumer_state').filter(({ value }) => value === 1);
  return present.map(({ labels: { group = '', state } }) => ({
    group,
    state: state as ProcessAnswer['consumer_groups'][number]['state'],
    topics: lags
      .filter(({ labels }) => labels.group === group)
      .map(({ labels, value }) => ({ topic: labels.topic ?? '', lag: value })),
  }));
}

function parkedOf(samples: readonly Sample[]): ProcessAnswer['parked'] {
  if (samples.length === 0) return null;
  const sum = (kind: string) =>
    samples.filter(({ labels }) => labels.kind === kind).reduce((total, { value }) => total + value, 0);
  return { blocking: sum('blocking'), aside: sum('aside') };
}

const certificateOf = (version: string | undefined, endsMs: number, now: Date) => ({
  version: version === 'v1' ? ('v1' as const) : ('v2' as const),
  ends_time: new Date(endsMs).toISOString(),
  days_left: Math.floor((endsMs - now.getTime()) / DAY_MS),
});
