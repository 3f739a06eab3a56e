const DAY_MS = 86_400_000;

export interface Topic {
  readonly name: string;
  /** Never changes: the order of a key's records depends on it. */
  readonly partitions: number;
  /** -1: for ever. */
  readonly retentionMs: number;
  readonly segmentMs?: number;
  /** Keeps at least the last record of each key, in place of all. */
  readonly isCompacted?: true;
  /** `public`: other teams may read it or, for reports, write it. */
  readonly audience: 'public' | 'internal';
}

export const TOPICS = {
  commands: { name: 'dsr.commands.v1', partitions: 12, retentionMs: 7 * DAY_MS, audience: 'internal' },
  requestEvents: { name: 'dsr.request-events.v1', partitions: 12, retentionMs: 400 * DAY_MS, audience: 'public' },
  participantReports: {
    name: 'dsr.participant-reports.v1',
    partitions: 12,
    retentionMs: 30 * DAY_MS,
    audience: 'public',
  },
  deliveryEvents: { name: 'dsr.delivery-events.v1', partitions: 12, retentionMs: 90 * DAY_MS, audience: 'public' },
  keyTombstones: { name: 'dsr.key-tombstones.v1', partitions: 12, retentionMs: -1, audience: 'internal' },
  /** One partition: the order of its records is the order of the transparency log (decision 25). */
  evidenceLeaves: { name: 'dsr.evidence-leaves.v1', partitions: 1, retentionMs: -1, audience: 'internal' },
  checkpoints: {
    name: 'dsr.checkpoints.v1',
    partitions: 1,
    retentionMs: -1,
    isCompacted: true,
    audience: 'internal',
  },
  ingestProfiles: {
    name: 'ingest.profiles.v1',
    partitions: 24,
    retentionMs: 6 * DAY_MS,
    segmentMs: DAY_MS / 4,
    audience: 'internal',
  },
  ingestEvents: {
    name: 'ingest.events.v1',
    partitions: 24,
    retentionMs: 6 * DAY_MS,
    segmentMs: DAY_MS / 4,
    audience: 'internal',
  },
} as const satisfies Record<string, Topic>;
