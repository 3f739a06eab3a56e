import type { ShownOutcome } from './outcome';

/** A host that receives callbacks of one workspace, by the keyed hash of its name. */
interface ReceivingHost {
  readonly ws: string;
  readonly host: string;
}

export interface HostAttempt extends Pick<ShownOutcome, 'outcome' | 'httpStatus'> {
  /** When it began. */
  readonly at: Date;
  /** Until when the breaker holds callbacks back; undefined: it is closed. */
  readonly pausedUntil: Date | undefined;
}

/** What this process saw of a host since it was written last. */
export interface HostChange extends ReceivingHost {
  readonly last: HostAttempt;
  /** The last attempt that succeeded. */
  readonly deliveredAt?: Date;
  /** The first failure since then. */
  readonly failingSince?: Date;
}

/** The outcomes of attempts by host, in memory until they are written together. */
export class HostOutcomes {
  private changes = new Map<string, HostChange>();

  tried({ ws, host }: ReceivingHost, last: HostAttempt): void {
    const key = `${ws}|${host}`;
    const { deliveredAt, failingSince } = this.changes.get(key) ?? {};
    this.changes.set(
      key,
      last.outcome === 'delivered'
        ? { ws, host, last, deliveredAt: last.at }
        : { ws, host, last, failingSince: failingSince ?? last.at, ...(deliveredAt && { deliveredAt }) },
    );
  }

  /** The changes that are not taken yet. */
  takeChanges(): readonly HostChange[] {
    const taken = [...this.changes.values()];
    this.changes = new Map();
    return taken;
  }

  /** Takes back changes that could not be written. Later attempts count more. */
  returnChanges(taken: readonly HostChange[]): void {
    for (const change of taken) {
      const key = `${change.ws}|${change.host}`;
      const later = this.changes.get(key);
      this.changes.set(key, later ? joined(change, later) : change);
    }
  }
}

function joined(earlier: HostChange, later: HostChange): HostChange {
  if (later.deliveredAt) return later;
  const { deliveredAt, failingSince = later.failingSince } = earlier;
  return { ...later, ...(deliveredAt && { deliveredAt }), ...(failingSince && { failingSince }) };
}
