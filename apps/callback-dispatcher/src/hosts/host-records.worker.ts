import type { Clock } from '@opendsr-service/service';
import type { HostOutcomes } from '../dispatch/host-outcomes';
import type { ReceivingHosts } from './receiving-hosts.store';

/** At most so often are the outcomes of a process written, however many attempts it makes. */
const WRITE_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Hosts without an attempt for so long are forgotten. */
const KEEP_MS = 90 * 24 * HOUR_MS;

/** False also where the clock was set back since. */
const isWithin = (sinceMs: number, limitMs: number): boolean => sinceMs >= 0 && sinceMs < limitMs;

/** Writes what this process saw of hosts. Every so often it forgets those that nothing was sent to for long. */
export class HostRecords {
  private writtenMs = -Infinity;
  private sweptMs = -Infinity;

  constructor(
    private readonly outcomes: HostOutcomes,
    private readonly hosts: ReceivingHosts,
    private readonly clock: Clock,
  ) {}

  async runOnce(): Promise<number> {
    const nowMs = this.clock.now().getTime();
    if (isWithin(nowMs - this.writtenMs, WRITE_MS)) return 0;
    this.writtenMs = nowMs;
    await this.flush();
    if (isWithin(nowMs - this.sweptMs, HOUR_MS)) return 0;
    this.sweptMs = nowMs;
    await this.hosts.removeBefore(new Date(nowMs - KEEP_MS));
    return 0;
  }

  /** Writes all that is not written yet. */
  async flush(): Promise<void> {
    const changes = this.outcomes.takeChanges();
    await this.hosts.write(changes).catch((error: unknown) => {
      this.outcomes.returnChanges(changes);
      throw error;
    });
  }
}
