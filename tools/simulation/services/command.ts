import type { EncodedMessage } from '@opendsr-service/contracts';
import { DeadlinesStore, extendDeadline, findRequest, waive } from '@opendsr-service/gateway/operation';
import type { Publisher } from '@opendsr-service/messaging';
import type { Storage } from '@opendsr-service/storage';
import { MasterSeal, openVault, type Keys } from '@opendsr-service/vault';
import type { Waiver } from '@opendsr-service/workspaces';
import type { ExtensionWish } from '../actors/operators';
import { asOwner } from '../engine/owner';
import type { Mortal } from '../engine/scheduler';
import type { CommandAnswer } from '../history';
import { gatedStorage } from '../stores/gated-storage';
import { SimulatedLog } from '../stores/simulated-log';
import { keysOf, type WorldParts } from './world-parts';

/** What a command reaches: the stores and the log of the gateways, each operation as a step of its process. */
interface Reach {
  readonly storage: Storage;
  readonly publisher: Publisher;
  readonly keys: Keys;
}

/** One run of `dsr`: a process from its start to its end or its crash. */
export class OperatorCommand implements Mortal {
  isAlive = true;
  private readonly death = Promise.withResolvers<undefined>();

  constructor(
    readonly name: string,
    private readonly world: WorldParts,
    private readonly work: (reach: Reach) => Promise<string>,
  ) {}

  crash(): void {
    this.isAlive = false;
    this.death.resolve(undefined);
  }

  /** Undefined: it failed or died. */
  async run(): Promise<CommandAnswer> {
    const { diary, dataDir, scheduler: gate, leases, stalls, chance, scattered, broker } = this.world;
    const noted = (query: string): void => void scattered.add(query);
    const storage = await gatedStorage(this, { dataDir, gate, leases, stalls, chance, scattered: noted });
    const { publisher } = new SimulatedLog({ broker, gate, owner: this, chance });
    const failed = (error: unknown): undefined => void diary(`${this.name}: ${String(error)}`);
    const work = asOwner(this, () => this.work({ storage, publisher, keys: keysOf(this.world, this) })).catch(failed);
    const answer = await Promise.race([work, this.death.promise]);
    this.isAlive = false;
    void storage.close();
    if (answer !== undefined) diary(`${this.name}: ${answer}`);
    return answer;
  }
}

const noNote = (): Promise<void> => Promise.resolve();

/** `dsr requests extend`. */
export const extendCommand = (wish: ExtensionWish, world: WorldParts): OperatorCommand =>
  new OperatorCommand(`dsr requests extend ${wish.srid}`, world, async ({ storage, publisher, keys }) => {
    const now = (): number => world.time.now().getTime();
    const { vault } = await openVault(await storage.database('keys'), keys, now, publisher);
    const deadlines = new DeadlinesStore(await storage.database('gateway'));
    const answer = await extendDeadline({ deadlines, vault, note: noNote }, wish);
    return typeof answer === 'string' ? answer : 'done';
  });

/** `dsr participants waive`. */
export const waiveCommand = (waiver: Waiver, world: WorldParts): OperatorCommand =>
  new OperatorCommand(
    `dsr participants waive ${waiver.srid} ${waiver.participant}`,
    world,
    async ({ storage, publisher }) => {
      const seal = new MasterSeal(world.masterKey);
      const found = await findRequest(await storage.database('gateway'), waiver.ws, waiver.srid);
      const publish = (topic: string, message: EncodedMessage) => publisher.publish(topic, [message]);
      return waive({ seal, publish, note: noNote }, found, waiver);
    },
  );
