import type { Clock, Logger } from '@opendsr-service/service';
import {
  cosignatureIn,
  offerText,
  readCheckpoint,
  readNote,
  signatureLine,
  StoredTree,
  type NoteVerifier,
  type TileSource,
} from '@opendsr-service/transparency';
import type { CheckpointStore } from './checkpoint.store';
import type { WitnessAnswer, WitnessClient } from './witness.client';
import { witnessId } from './witness-id';
import type { Claim, Cosigned, WitnessDocument, WitnessesStore } from './witnesses.store';

/**
 * What became of an offer. `conflict`: the witness has cosigned a larger log than this, or another one. `refused`: another
 * status. `invalid`: an answer without its cosignature. `away`: no answer in time.
 */
export type WitnessOutcome = 'cosigned' | Exclude<WitnessAnswer['kind'], 'answered'> | 'invalid';

const WITNESS_OUTCOMES: readonly WitnessOutcome[] = ['cosigned', 'conflict', 'refused', 'invalid', 'away'];

interface WitnessingParts {
  readonly witness: NoteVerifier;
  readonly client: WitnessClient;
  readonly store: WitnessesStore;
  readonly head: Pick<CheckpointStore, 'read'>;
  readonly tiles: TileSource;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Longer than an offer with its repetition. */
const LEASE_MS = 60_000;
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 60_000;
/** A log that does not grow is shown again, so that its cosignatures say that it still stood then. */
const RENEW_MS = 3_600_000;

type Offered = Cosigned | { readonly reason: Exclude<WitnessOutcome, 'cosigned'>; readonly status?: number };

/** Offers the newest checkpoint to one witness, in one process at a time. Nothing waits for it (decision 25). */
export class Witnessing {
  private readonly counts = new Map<WitnessOutcome, number>(WITNESS_OUTCOMES.map((outcome) => [outcome, 0]));
  readonly id: string;

  constructor(private readonly parts: WitnessingParts) {
    this.id = witnessId(parts.witness);
  }

  get name(): string {
    return this.parts.witness.name;
  }

  /** How often each outcome was, in this process. */
  get outcomes(): ReadonlyMap<WitnessOutcome, number> {
    return this.counts;
  }

  /** 1: a checkpoint was cosigned. 0: none is due, or the witness did not cosign it. */
  async runOnce(): Promise<number> {
    const { store, head, clock } = this.parts;
    const before = (await head.read())?.note;
    if (before === undefined || !isDue(await store.find(this.id), before, clock.now())) return 0;
    const claim = await store.claim(this.id, before, clock.now(), LEASE_MS);
    if (!claim) return 0;
    // Another process may have had that one, or a later one, cosigned in between.
    const note = (await head.read())?.note ?? before;
    if (!isWanted(claim, note, clock.now())) return store.release(claim, clock.now()).then(() => 0);
    const offered = await this.offer(note, claim.size);
    if (!('reason' in offered)) return this.cosigned(claim, offered);
    await this.failed(claim, note, offered);
    return 0;
  }

  private async offer(note: string, lastSize: number): Promise<Offered> {
    const text = readNote(note)?.text ?? '';
    const size = readCheckpoint(text)?.size ?? 0;
    const answer = await this.answerTo(note, size, Math.min(lastSize, size));
    if (answer.kind !== 'answered') return { ...answer, reason: answer.kind };
    const cosignature = cosignatureIn(answer.text, text, this.parts.witness);
    return cosignature ? { size, note, cosignature: signatureLine(cosignature) } : { reason: 'invalid' };
  }

  private async answerTo(note: string, size: number, lastSize: number): Promise<WitnessAnswer> {
    const { client, tiles } = this.parts;
    const signal = client.deadline();
    const offerFrom = async (oldSize: number): Promise<WitnessAnswer> => {
      const proof = oldSize > 0 ? await new StoredTree(size, tiles).consistencyProof(oldSize) : [];
      return client.offer(offerText({ oldSize, proof, note }), signal);
    };
    const answer = await offerFrom(lastSize);
    const named = answer.kind === 'conflict' ? answer.size : undefined;
    // It has cosigned what no process lived to write down, or the database is an older copy.
    return named !== undefined && named !== lastSize && named <= size ? offerFrom(named) : answer;
  }

  private async cosigned(claim: WitnessDocument & Claim, { size, note, cosignature }: Cosigned): Promise<number> {
    const { store, clock, log, client } = this.parts;
    await store.save(claim, { size, note, cosignature }, clock.now());
    this.count('cosigned');
    if (claim.reason !== undefined) log.info({ host: client.host }, 'A witness of the transparency log cosigns again');
    return 1;
  }

  /** The gaps grow between offers of the same checkpoint. A new one is offered at once: as often as to a witness that answers. */
  private async failed(
    claim: WitnessDocument & Claim,
    note: string,
    { reason, status }: Exclude<Offered, Cosigned>,
  ): Promise<void> {
    const { store, clock, log, client } = this.parts;
    const gapMs = Math.min(FIRST_GAP_MS * 2 ** claim.tries, LONGEST_GAP_MS);
    await store.postpone(claim, {
      dueAt: new Date(clock.now().getTime() + gapMs),
      tries: claim.tries + 1,
      reason,
      failed: note,
    });
    this.count(reason);
    // One line for each outage and kind of failure: the age of its last cosignature says how long it lasts.
    if (claim.reason !== reason)
      log.warn({ host: client.host, reason, status }, 'A witness of the transparency log does not cosign');
  }

  private count(outcome: WitnessOutcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }
}

/** Claimed by no living process, and nothing of this checkpoint has failed a moment ago. */
const isDue = (known: WitnessDocument | undefined, note: string, now: Date): boolean => {
  if (!known) return true;
  const isFree = known.dueAt <= now || (known.token === undefined && known.failed !== note);
  return isFree && isWanted(known, note, now);
};

/** It has not cosigned this checkpoint, or long ago. */
const isWanted = (known: WitnessDocument, note: string, now: Date): boolean =>
  known.note !== note || now.getTime() - known.since.getTime() >= RENEW_MS;
