import type { Clock } from '@opendsr-service/service';
import { asOwner, ownerNow, type Owner } from './owner';

interface Timer {
  readonly id: number;
  readonly run: () => void;
  readonly owner: Owner | undefined;
  readonly everyMs: number | undefined;
  atMs: number;
}

/** What `setTimeout` answers: Node's own code and libraries call these verbs. */
interface Handle {
  ref(): Handle;
  unref(): Handle;
  hasRef(): boolean;
  refresh(): Handle;
  close(): Handle;
  [Symbol.toPrimitive](): number;
}

/** Whole milliseconds, at least one, as Node's timers have it. */
const lengthOf = (waitMs: number): number => Math.max(1, Math.round(waitMs || 0));

/** Time that moves only when the simulation says so, with the timers that wait for it. Those of a dead process never run. */
export class VirtualTime implements Clock {
  private readonly timers = new Map<number, Timer>();
  private nextId = 1;

  constructor(private nowMs: number) {}

  now(): Date {
    return new Date(this.nowMs);
  }

  get ms(): number {
    return this.nowMs;
  }

  /** When the next timer is due; undefined where none waits. */
  get nextAtMs(): number | undefined {
    let next: number | undefined;
    for (const timer of this.timers.values()) {
      if (timer.owner?.isAlive === false) this.timers.delete(timer.id);
      else if (next === undefined || timer.atMs < next) next = timer.atMs;
    }
    return next;
  }

  /** Moves to a time and runs what is due until then, in order. */
  moveTo(ms: number): void {
    this.nowMs = Math.max(this.nowMs, ms);
    const due = [...this.timers.values()]
      .filter((timer) => timer.atMs <= this.nowMs)
      .sort((one, other) => one.atMs - other.atMs || one.id - other.id);
    for (const timer of due) this.fire(timer);
  }

  set(run: () => void, waitMs: number, everyMs?: number): Handle {
    const id = this.nextId;
    this.nextId += 1;
    this.timers.set(id, { id, run, owner: ownerNow(), everyMs, atMs: this.nowMs + lengthOf(waitMs) });
    return this.handle(id, waitMs);
  }

  clear(handle: unknown): void {
    if (handle !== undefined && handle !== null) this.timers.delete(Number(handle));
  }

  /** Resolves after that time. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.set(resolve, ms));
  }

  /** The same for the simulation itself, independent of the running process: work after a death must outlive it. */
  waitOutside(ms: number): Promise<void> {
    return asOwner(undefined, () => this.wait(ms));
  }

  private fire(timer: Timer): void {
    if (!this.timers.has(timer.id)) return;
    if (timer.everyMs === undefined) this.timers.delete(timer.id);
    else timer.atMs = this.nowMs + lengthOf(timer.everyMs);
    if (timer.owner?.isAlive !== false) asOwner(timer.owner, timer.run);
  }

  private handle(id: number, waitMs: number): Handle {
    const handle: Handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => {
        const timer = this.timers.get(id);
        if (timer) timer.atMs = this.nowMs + lengthOf(waitMs);
        return handle;
      },
      close: () => {
        this.clear(id);
        return handle;
      },
      [Symbol.toPrimitive]: () => id,
    };
    return handle;
  }
}
