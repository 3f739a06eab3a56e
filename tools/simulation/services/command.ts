import { extendDeadlineOf } from '@opendsr-service/gateway/operation';
import type { Publisher } from '@opendsr-service/messaging';
import type { Storage } from '@opendsr-service/storage';
import { openVault } from '@opendsr-service/vault';
import type { ExtensionWish } from '../actors/operators';
import { asOwner } from '../engine/owner';
import type { Mortal } from '../engine/scheduler';
import type { Extension } from '../history';
import { gatedStorage } from '../stores/gated-storage';
import type { WorldParts } from './world-parts';

/** A command of the operator publishes nothing itself. */
const noPublisher: Publisher = { available: true, publish: () => Promise.resolve() };

/** One run of `dsr requests extend`: a process on the stores of the gateways, from its start to its end or its crash. */
export class ExtendCommand implements Mortal {
  readonly name: string;
  isAlive = true;
  private readonly death = Promise.withResolvers<undefined>();

  constructor(
    private readonly wish: ExtensionWish,
    private readonly world: WorldParts,
  ) {
    this.name = `dsr requests extend ${wish.srid}`;
  }

  crash(): void {
    this.isAlive = false;
    this.death.resolve(undefined);
  }

  /** Undefined: it failed or died. */
  async run(): Promise<Extension['answer']> {
    const { diary, dataDir, scheduler: gate, leases, stalls, chance, scattered } = this.world;
    const noted = (query: string): void => void scattered.add(query);
    const storage = await gatedStorage(this, { dataDir, gate, leases, stalls, chance, scattered: noted });
    const failed = (error: unknown): undefined => void diary(`${this.name}: ${String(error)}`);
    const answer = await Promise.race([asOwner(this, () => this.extend(storage)).catch(failed), this.death.promise]);
    this.isAlive = false;
    void storage.close();
    if (answer !== undefined) diary(`${this.name}: ${answer}`);
    return answer;
  }

  private async extend(storage: Storage): Promise<Extension['answer']> {
    const { masterKey, time } = this.world;
    const now = (): number => time.now().getTime();
    const { vault } = await openVault(await storage.database('keys'), { masterKey }, now, noPublisher);
    const gateway = await storage.database('gateway');
    const answer = await extendDeadlineOf(gateway, vault, this.wish, () => Promise.resolve());
    return typeof answer === 'string' ? answer : 'done';
  }
}
