import { checkpoints, messageId, NO_WORKSPACE, TOPICS } from '@opendsr-service/contracts';
import type { EventLog, Positions } from '@opendsr-service/messaging';
import { ClaimLost, ClaimRenewal, type Clock, type DueSignal } from '@opendsr-service/service';
import {
  checkpointText,
  grownTiles,
  leafHash,
  signNote,
  StoredTree,
  writeNote,
  type NoteSigner,
  type TileSource,
  type TreeHead,
} from '@opendsr-service/transparency';
import type { EvidenceLeaves } from './evidence-leaves';
import { keyOf, keyOfNote, newerOf, noteOf, type Signed } from './checkpoint-notes';
import type { CheckpointDocument, CheckpointStore } from './checkpoint.store';
import { KeptTiles } from './kept-tiles';
import type { LeavesStore } from './leaves.store';
import { LogRefused } from './log-refused';
import type { TilesStore } from './tiles.store';

interface SequencerParts {
  readonly leaves: LeavesStore;
  readonly tiles: TilesStore;
  readonly head: CheckpointStore;
  readonly evidenceLeaves: Pick<EvidenceLeaves, 'catchUp' | 'readAgain'>;
  readonly events: Pick<EventLog, 'read' | 'publisher'>;
  readonly signer: NoteSigner;
  readonly clock: Clock;
  /** Says that a new checkpoint is served. */
  readonly signed?: Pick<DueSignal, 'due'>;
}

/** Longer than one page takes; a run that reads or rebuilds much renews it. */
const LEASE_MS = 60_000;
/** A process that signed within this time signs the next one too, so that others need not prove what it signed. */
const TERM_MS = 2_000;
const RENEW_MS = LEASE_MS / 4;
const PAGE = 1_024;

/** From so many leaves to so many; `entries`: the first page of the new ones, where it was read already. */
interface Growth {
  readonly size: number;
  readonly count: number;
  readonly entries?: readonly Buffer[];
}

/** Who may sign. What is saved under it ends it. */
interface Claim {
  readonly token: string;
  readonly lease: ClaimRenewal;
  isHeld: boolean;
}

/**
 * Signs checkpoints of the transparency log, one process at a time (decision 25). Each continues tiles that have the root of
 * the newest checkpoint. Before the first one that it signs after another process, and where the tiles have another root, it
 * proves that the leaves have that root, and refuses where they do not: a log has one history.
 */
export class Sequencer {
  /** The newest checkpoint, as long as this process made or proved it. */
  private known: Signed | undefined;
  /** The newest on the event log, and up to where that was read. */
  private logged: Signed | undefined;
  private positions: Positions = {};
  /** Of the checkpoints on the event log, by their first one. */
  private readonly keys = new Set<string>();
  /** Of the last checkpoint that this process signed again under its own key. */
  private replacedSize: number | undefined;
  private refusal: LogRefused | undefined;
  private termEnds: Date | undefined;

  constructor(private readonly parts: SequencerParts) {}

  /** Why the last run signed nothing; undefined where it may sign. */
  get refused(): LogRefused | undefined {
    return this.refusal;
  }

  /** How long the last run left the next checkpoint to another process; milliseconds. */
  get leftForMs(): number | undefined {
    return this.termEnds && this.termEnds.getTime() - this.parts.clock.now().getTime();
  }

  /** Signs what waits; resolves with the number of leaves that are new in the checkpoint. Throws LogRefused. */
  async runOnce(): Promise<number> {
    const { leaves, head, clock, events } = this.parts;
    this.termEnds = undefined;
    if (!events.publisher.available) return 0;
    const [published, count] = await Promise.all([head.read(), leaves.count()]);
    const now = clock.now();
    if (this.hasNothingToSign(published, count)) return 0;
    this.termEnds = this.termOfOther(published, now);
    if (this.termEnds) return 0;
    const token = await head.claim(now, LEASE_MS);
    if (token === undefined) return 0;
    const lease = new ClaimRenewal(
      {
        ...{ leaseMs: LEASE_MS, heldUntil: new Date(now.getTime() + LEASE_MS) },
        renew: (until) => head.renew(token, until),
      },
      clock,
    );
    const claim: Claim = { token, lease, isHeld: true };
    try {
      return await this.sign(claim);
    } catch (error) {
      if (error instanceof ClaimLost) return 0;
      throw error;
    } finally {
      if (claim.isHeld) await head.release(token, clock.now());
    }
  }

  /** Also where another process has signed all. A process that knows no checkpoint yet has to prove one. */
  private hasNothingToSign(published: CheckpointDocument | undefined, count: number): boolean {
    if (!this.known || published?.note === undefined) return false;
    const { size, note } = published;
    if (this.isReplaced({ size, note })) return false;
    return size === count && (this.known.size < count || this.isNewest(note));
  }

  /** When the term ends of another process that signed the newest checkpoint; undefined: it has. */
  private termOfOther(published: CheckpointDocument | undefined, now: Date): Date | undefined {
    if (!this.known || published?.note === undefined || published.size <= this.known.size) return undefined;
    const { size, note, signedAt } = published;
    if (!signedAt || Math.abs(now.getTime() - signedAt.getTime()) >= TERM_MS) return undefined;
    return this.isReplaced({ size, note }) ? undefined : new Date(signedAt.getTime() + TERM_MS);
  }

  /**
   * Whether an older log key signed it than this process has, by the event log: so two processes never replace each
   * other's. Once for each size, because a log that was compacted does not show which key is older.
   */
  private isReplaced({ size, note }: { readonly size: number; readonly note: string }): boolean {
    const own = keyOf(this.parts.signer);
    if (keyOfNote(note) === own || size === this.replacedSize) return false;
    return !this.keys.has(own) || [...this.keys].at(-1) === own;
  }

  private isNewest(note: string | undefined): boolean {
    return note !== undefined && note === this.known?.note;
  }

  private async sign(claim: Claim): Promise<number> {
    const { leaves, head } = this.parts;
    const [served, before] = await Promise.all([head.read(), leaves.count()]);
    const published = served?.note;
    const { known } = this;
    if (known && before >= known.size && this.isNewest(published)) {
      const tiles = this.readTiles();
      const [entries, isSound] = await Promise.all([this.page(known.size, before), hasRoot(known, tiles)]);
      if (isSound) return before === known.size ? 0 : this.advance(claim, before, tiles, entries);
    }
    const newest = await this.takeOver(published, claim.lease);
    this.known = newest;
    const count = await leaves.count();
    if (!this.stands(newest, count)) return this.advance(claim, count, this.readTiles());
    // Its process ended before it was published.
    if (!this.isNewest(published)) await this.save(claim, newest);
    return 0;
  }

  /** Under a new log key it is signed again without a new leaf: readers have the new verifier key alone. */
  private stands(newest: Signed | undefined, count: number): newest is Signed {
    return newest?.size === count && !this.isReplaced(newest);
  }

  /** The tiles as this run reads and writes them. */
  private readTiles(): KeptTiles {
    return new KeptTiles(this.parts.tiles, this.parts.clock);
  }

  private async advance(claim: Claim, count: number, tiles: KeptTiles, entries?: readonly Buffer[]): Promise<number> {
    const size = this.known?.size ?? 0;
    await this.grow({ size, count, entries }, claim.lease, tiles);
    const next = await this.signed(count, tiles);
    await claim.lease.renew();
    await this.publish(next);
    if (!(await this.save(claim, next))) return 0;
    if (count === size) this.replacedSize = count;
    this.known = next;
    this.parts.signed?.due();
    return count - size;
  }

  private async save(claim: Claim, next: Signed): Promise<boolean> {
    const isSaved = await this.parts.head.save(claim.token, next, this.parts.clock.now());
    claim.isHeld = !isSaved;
    return isSaved;
  }

  /** The newest checkpoint of the database and of the event log, proved. Undefined before the first one. */
  private async takeOver(published: string | undefined, lease: ClaimRenewal): Promise<Signed | undefined> {
    try {
      await this.readLogged(lease);
      const newest = newerOf(newerOf(undefined, published), this.logged?.note);
      if (newest) await this.prove(newest, lease);
      else await this.parts.tiles.removeAll();
      this.refusal = undefined;
      return newest;
    } catch (error) {
      if (error instanceof LogRefused) this.refusal = error;
      throw error;
    }
  }

  private async prove(newest: Signed, lease: ClaimRenewal): Promise<void> {
    const { leaves, tiles, evidenceLeaves } = this.parts;
    if ((await leaves.count()) < newest.size) await lease.renewWhile(evidenceLeaves.catchUp(), RENEW_MS);
    if ((await leaves.count()) < newest.size) await lease.renewWhile(evidenceLeaves.readAgain(), RENEW_MS);
    if ((await leaves.count()) < newest.size) throw new LogRefused('behind');
    // Who has lost the claim must remove no tile of who has it.
    await lease.renew();
    if (await hasRoot(newest, tiles)) return tiles.cut(newest.size);
    // Tiles follow from leaves: a copy of the database may hold some that are older or newer than its leaves.
    await tiles.removeAll();
    await this.grow({ size: 0, count: newest.size }, lease, this.readTiles());
    if (!(await hasRoot(newest, tiles))) throw new LogRefused('forked');
  }

  private async grow({ size, count, entries }: Growth, lease: ClaimRenewal, kept: KeptTiles): Promise<void> {
    const { tiles } = this.parts;
    for (let at = size; at < count; at += PAGE) {
      await lease.renew();
      const page = at === size && entries ? entries : await this.page(at, count);
      const grown = await grownTiles(at, page.map(leafHash), kept);
      await tiles.save(grown);
      kept.add(grown);
    }
  }

  private async page(at: number, count: number): Promise<readonly Buffer[]> {
    return at < count ? this.parts.leaves.entries(at, Math.min(at + PAGE, count)) : [];
  }

  private async signed(size: number, tiles: TileSource): Promise<Signed> {
    const { signer } = this.parts;
    const root = await new StoredTree(size, tiles).root();
    return { size, root, note: writeNote(signNote(checkpointText({ origin: signer.name, size, root }), signer)) };
  }

  /** On the event log first: a database that is restored from an older copy finds there what was signed since. */
  private async publish({ note }: Signed): Promise<void> {
    const { events, signer, clock } = this.parts;
    const record = checkpoints.encode({
      ...{ type: 'CheckpointSigned', id: messageId('checkpoint', note), ws: NO_WORKSPACE },
      ...{ at: clock.now().toISOString(), origin: signer.name, note },
    });
    await events.publisher.publish(TOPICS.checkpoints.name, [record]);
  }

  /** Reads what others have signed since the last time. */
  private async readLogged(lease: ClaimRenewal): Promise<void> {
    const reading = this.parts.events.read(TOPICS.checkpoints.name, this.positions, (records) => {
      for (const note of records.map(noteOf)) {
        this.logged = newerOf(this.logged, note);
        if (note !== undefined) this.keys.add(keyOfNote(note));
      }
      return Promise.resolve();
    });
    this.positions = await lease.renewWhile(reading, RENEW_MS);
  }
}

async function hasRoot({ size, root }: TreeHead, tiles: TileSource): Promise<boolean> {
  return new StoredTree(size, tiles).root().then(
    (found) => found.equals(root),
    (error: unknown) => {
      if (error instanceof RangeError) return false;
      throw error;
    },
  );
}
