import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { FakeRequest } from './fake-intake';

export interface Stored extends FakeRequest {
  readonly ws: string;
  readonly version: ProtocolVersion;
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** What the fake remembers, in the order in which it came. */
export class FakeStore {
  private readonly all = new Map<string, Stored>();

  get(ws: string, id: string): Stored | undefined {
    return this.all.get(`${ws} ${id}`);
  }

  add(stored: Stored): void {
    this.all.set(`${stored.ws} ${stored.id}`, stored);
  }

  startAll(): void {
    for (const one of this.all.values()) if (one.status === 'pending') one.status = 'in_progress';
  }

  /** Of one workspace, or of all. */
  group(ws: string | undefined, isOf: (group: string | null) => boolean): Stored[] {
    return [...this.all.values()].filter((one) => (ws === undefined || one.ws === ws) && isOf(one.group));
  }

  /** Another request that counts as the same. */
  twin(ws: string | undefined, isSame: (other: Stored) => boolean): Stored | undefined {
    return this.group(ws, () => true).find(isSame);
  }

  byToken(token: string): Stored | undefined {
    return [...this.all.values()].find((one) => one.token === token);
  }
}
