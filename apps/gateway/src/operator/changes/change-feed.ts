import type { Clock } from '@opendsr-service/service';
import { changesOf, type ChangedRequest, type Changes } from './changes.document';
import type { ChangesStore } from './changes.store';

/** How many requests are named at once; of more the console offers to read lists again. */
const MOST_NAMED = 200;
/** Clocks of processes differ, and a write takes its time. */
const OVERLAP_MS = 10_000;
const KEPT_MS = 60_000;

type Listener = (changes: Changes) => void;

/** Says in every process what changed in any: each writes once in a run what it changed, and reads only while somebody listens. */
export class ChangeFeed {
  private changed = new Map<string, ChangedRequest>();
  private more = false;
  private readonly listeners = new Set<Listener>();
  /** Batches that were told already, by time. */
  private told = new Map<string, Date>();
  private removedAt = 0;

  constructor(
    private readonly store: Pick<ChangesStore, 'add' | 'since' | 'removeBefore'>,
    private readonly clock: Clock,
  ) {}

  /** Called for each change that this process writes; cheap. */
  note({ ws, srid }: ChangedRequest): void {
    if (this.changed.size < MOST_NAMED) this.changed.set(`${ws}:${srid}`, { ws, srid });
    else this.more = true;
  }

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Writes what changed here and tells listeners what changed anywhere. */
  async runOnce(): Promise<number> {
    const now = this.clock.now();
    await this.write(now);
    if (this.listeners.size > 0) await this.tell(new Date(now.getTime() - OVERLAP_MS));
    else this.told.clear();
    if (now.getTime() - this.removedAt > KEPT_MS) {
      await this.store.removeBefore(new Date(now.getTime() - KEPT_MS));
      this.removedAt = now.getTime();
    }
    return 0;
  }

  private async write(at: Date): Promise<void> {
    if (this.changed.size === 0 && !this.more) return;
    const [requests, more] = [[...this.changed.values()], this.more];
    this.changed = new Map();
    this.more = false;
    try {
      await this.store.add(at, { requests, more });
    } catch (error) {
      // They may have been told, and are told again: that does no harm.
      for (const request of requests) this.note(request);
      this.more ||= more;
      throw error;
    }
  }

  private async tell(from: Date): Promise<void> {
    const batches = await this.store.since(from);
    for (const batch of batches) {
      if (this.told.has(batch._id)) continue;
      const changes = changesOf(batch);
      for (const listener of this.listeners) listener(changes);
    }
    this.told = new Map(batches.map(({ _id, at }) => [_id, at]));
  }
}
