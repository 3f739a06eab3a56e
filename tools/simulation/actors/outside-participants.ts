import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  participantReports,
  signRecord,
  TOPICS,
  type ParticipantReport,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { Chance } from '../engine/chance';
import type { Broker } from '../stores/broker';
import type { Reader } from '../stores/simulated-log';
import { TENANTS } from './plan';

interface OutsideParticipantsParts {
  readonly broker: Broker<Reader>;
  readonly chance: Chance;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => Date;
  /** The secret of each participant of each workspace, by `<ws>:<name>`. */
  readonly secrets: ReadonlyMap<string, string>;
  /** How often one never reports its last word. */
  readonly silent: number;
  /** Hears of a share whose operators do not wait for a report. */
  readonly waive: (share: Share) => Promise<void>;
}

type Share = Pick<ParticipantReport, 'ws' | 'srid' | 'participant'>;

const LONGEST_WORK_MS = 25_000;
/** How often operators waive one that reports after all, in a world where some are silent. */
const IMPATIENT = 0.2;
const FINAL = ['completed', 'sent', 'skipped'] as const;

/**
 * Systems of other teams: each participant that a start names reports a final word in the end, or is waived; late,
 * twice, after failures, and among forgeries.
 */
export class OutsideParticipants {
  private readonly begun = new Set<string>();

  constructor(private readonly parts: OutsideParticipantsParts) {}

  /** Takes note of an event in the log. */
  hear(event: RequestEvent): void {
    if (event.type !== 'RequestStarted') return;
    for (const name of event.participants) {
      const secret = this.parts.secrets.get(`${event.ws}:${name}`);
      const work = `${event.srid} ${name}`;
      if (secret === undefined || this.begun.has(work)) continue;
      this.begun.add(work);
      void this.work({ ws: event.ws, srid: event.srid, participant: name }, createSecretKey(secret, 'utf8'));
    }
  }

  private async work(share: Share, key: KeyObject): Promise<void> {
    const { chance, wait, silent, waive } = this.parts;
    const isSilent = chance.happens(silent);
    if (isSilent || (silent > 0 && chance.happens(IMPATIENT))) void waive(share);
    while (chance.happens(0.3)) {
      await wait(chance.below(LONGEST_WORK_MS));
      this.report({ ...share, status: 'failed', statusMessage: `failed for reason ${chance.below(3)}` }, key);
    }
    if (chance.happens(0.15)) this.report({ ...share, status: 'completed' }, createSecretKey('forged', 'utf8'));
    if (isSilent) return;
    await wait(chance.below(LONGEST_WORK_MS));
    const last = { ...share, status: chance.pick(FINAL) };
    this.report(last, key);
    while (chance.happens(0.3)) {
      await wait(chance.below(LONGEST_WORK_MS));
      this.report(chance.happens(0.5) ? last : { ...share, status: 'failed' }, key);
    }
  }

  private report(
    report: Pick<ParticipantReport, 'ws' | 'srid' | 'participant' | 'status' | 'statusMessage'>,
    key: KeyObject,
  ): void {
    const { broker, chance, now } = this.parts;
    const record = participantReports.encode({
      type: 'ParticipantReport',
      id: chance.uuid(),
      at: now().toISOString(),
      ...report,
    });
    for (const batch of broker.batchesOf(TOPICS.participantReports.name, [signRecord(record, key)])) {
      broker.write(batch);
      if (chance.happens(0.1)) broker.writeLater(batch);
    }
  }
}

/** Who takes part from outside, as operators register it. */
export const registrations = TENANTS.flatMap(({ ws, participants }) =>
  participants.map(({ name, types }) => ({ ws, name, types, domain: `${name}.example.com` })),
);
