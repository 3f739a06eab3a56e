import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildService, Environment } from '../child-service';
import { localUrl, place, spawnPart, type Part, type Placed } from '../installation';
import type { ServiceAddress } from './service-address';

/** A process that was replaced. */
export interface Retired {
  readonly part: Part;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  /** From the signal to its end. */
  readonly stoppedInMs: number;
}

interface Member {
  readonly placed: Placed;
  readonly child: ChildService;
}

/** By which ports others reach a part. */
export interface Addresses {
  readonly public?: ServiceAddress;
  readonly admin?: ServiceAddress;
}

/** How a process is ended. */
interface Ending {
  readonly signal?: NodeJS.Signals;
  /** Until this is over, calls still come to it. */
  readonly propagation?: () => Promise<unknown>;
}

/**
 * New connections reach a stopping process for this time after the signal: its endpoint is removed during the stop, not
 * before.
 */
export const PROPAGATION_MS = 300;
/** A process may take this long to start beside others that start and work. */
const READY_MS = 120_000;

/** So many processes of one part, as Kubernetes keeps a Deployment with maxSurge 1 and maxUnavailable 0. */
export class Deployment {
  /** Everyone that ever ran. */
  readonly processes: ChildService[] = [];
  private members: Member[] = [];

  constructor(
    readonly part: Part,
    private readonly env: Environment,
    private readonly addresses: Addresses,
  ) {}

  /** Starts one more process on its own ports; it gets calls when it is ready. */
  async add(more: Environment = {}): Promise<void> {
    const [placed] = await place([this.part]);
    if (!placed) throw new Error('no ports were found');
    const child = spawnPart(placed, { ...this.env, ...more });
    this.processes.push(child);
    await child.ready(localUrl(placed.adminPort), READY_MS);
    this.addresses.public?.list(placed.port);
    this.addresses.admin?.list(placed.adminPort);
    this.members.push({ placed, child });
  }

  /**
   * Replaces each process in turn and returns their ends. The next successor starts as soon as a process begins to
   * stop, because stopping processes do not count.
   */
  async roll(): Promise<Promise<Retired>[]> {
    const ends: Promise<Retired>[] = [];
    for (let left = this.members.length; left > 0; left--) {
      await this.add();
      ends.push(this.retireOldest());
    }
    return ends;
  }

  retireOldest(how?: Ending): Promise<Retired> {
    const [oldest, ...rest] = this.members;
    this.members = rest;
    return this.retire(oldest, how);
  }

  retireNewest(how?: Ending): Promise<Retired> {
    return this.retire(this.members.pop(), how);
  }

  private async retire(
    member: Member | undefined,
    { signal = 'SIGTERM', propagation = () => sleep(PROPAGATION_MS) }: Ending = {},
  ): Promise<Retired> {
    if (!member) throw new Error(`no ${this.part} runs`);
    const { child, placed } = member;
    const asked = performance.now();
    const end = child
      .stop(signal)
      .then((exitCode) => ({ part: this.part, exitCode, stoppedInMs: Math.round(performance.now() - asked) }));
    await propagation().finally(() => {
      this.addresses.public?.unlist(placed.port);
      this.addresses.admin?.unlist(placed.adminPort);
    });
    return end;
  }
}
