import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import { kidTimeMs, wrapAad, type DataKeyDocument } from './data-keys.store';
import type { GenerationSecrets } from './generation-secrets';
import { Generations, type RotationChange } from './generations.store';
import { MasterWrap } from './master-wrap';
import type { Keys } from './open-keys';
import { RootKeys } from './root-keys.store';
import { nextStep, passedRatio, stepDueAt, type GenerationState, type RotationTimes } from './rotation-steps';
import { VaultError } from './vault-error';
import { WorkspaceKeys } from './workspace-keys';
import { rewrap } from './wrap';

const PAGE_SIZE = 200;
/** A pass that finds next to nothing to wrap reads ids and generations alone. */
const PROVING_PAGE_SIZE = 1_000;
/** So many wraps take about a millisecond: calls wait no longer for the loop. */
const WRAPS_PER_TURN = 50;
const STORED_GENERATION = 1;

export interface RotationOptions extends RotationTimes {
  readonly secrets: GenerationSecrets;
  readonly clock: () => number;
  readonly pageSize?: number;
}

/** The rotation of an installation; undefined where generations have no place, or never end. */
export const openRotation = (
  connection: Connection,
  { masterKey, generations }: Keys,
  times: RotationTimes,
  clock: () => number,
): KeyRotation | undefined =>
  generations && times.everyMs > 0
    ? new KeyRotation(connection, masterKey, { ...times, secrets: generations, clock })
    : undefined;

/**
 * Replaces the generation of workspace keys (decision 26): makes the next one, wraps all data keys again, and destroys
 * the secret of the old one. Each run is one page or one step, claimed by a lease, and may be repeated.
 */
export class KeyRotation {
  private readonly generations: Generations;
  private readonly wrappers: WorkspaceKeys;
  private readonly dataKeys: Collection<DataKeyDocument>;
  private readonly stepDueAt = (state: GenerationState) => stepDueAt(state, this.options);

  constructor(
    connection: Connection,
    masterKey: KeyObject,
    private readonly options: RotationOptions,
  ) {
    const { secrets, clock } = options;
    this.generations = new Generations(connection, secrets, clock);
    this.wrappers = new WorkspaceKeys(new RootKeys(connection, new MasterWrap(masterKey), clock), this.generations);
    this.dataKeys = connection.collection<DataKeyDocument>('dataKeys');
  }

  /** One step; resolves with 0 if none is due. */
  async runOnce(): Promise<number> {
    const claimed = await this.generations.claim(this.stepDueAt);
    if (!claimed) return 0;
    const { state, token } = claimed;
    const now = new Date(this.options.clock());
    const step = nextStep(state, now, this.options);
    if (step.name === 'rest') {
      await this.generations.record(token, { dueAt: step.until, ...keptCursor(state) });
      return 0;
    }
    await this.generations.record(token, await this[step.name](state, now));
    return 1;
  }

  /** Milliseconds until the next step is due. */
  async dueInMs(): Promise<number | undefined> {
    const dueAt = await this.generations.dueAt(this.stepDueAt);
    return dueAt && dueAt.getTime() - this.options.clock();
  }

  /** When the next step became due; undefined: it is not due at `now`. */
  async dueSince(now: Date): Promise<Date | undefined> {
    const dueAt = this.stepDueAt(await this.generations.read());
    return dueAt <= now ? dueAt : undefined;
  }

  state(): Promise<GenerationState> {
    return this.generations.read();
  }

  /** How far the data keys are wrapped under the current generation: from 0 to 1. */
  async passedRatio(): Promise<number> {
    const state = await this.generations.read();
    return passedRatio(state, await this.handledShare(state));
  }

  /** Passes go by id, so from the oldest key to the newest: by the times at which keys were made. */
  private async handledShare({ cursor }: GenerationState): Promise<number> {
    if (cursor === undefined) return 0;
    const oldest = await this.dataKeys.findOne({}, { sort: { _id: 1 }, projection: { _id: 1 } });
    const from = kidTimeMs(oldest?._id ?? cursor);
    return Math.max(0, kidTimeMs(cursor) - from) / Math.max(1, this.options.clock() - from);
  }

  private async turn({ current }: GenerationState, now: Date): Promise<RotationChange> {
    await this.generations.provePlace();
    const secretId = await this.generations.createSecret(current + 1);
    return { current: current + 1, secretId, turnedAt: now, passes: 0, dueAt: now };
  }

  private async destroy({ current, gone }: GenerationState, now: Date): Promise<RotationChange> {
    // A missing secret counts as destroyed, so the place has to be the right one.
    await this.generations.provePlace();
    for (let generation = gone + 1; generation < current; generation++)
      if (generation !== STORED_GENERATION) await this.generations.destroySecret(generation);
    return { gone: current - 1, dueAt: now };
  }

  /** One page of a pass over all data keys. */
  private async pass(state: GenerationState, now: Date): Promise<RotationChange> {
    const { last, keys } = await this.readPage(state);
    const writes = await this.rewrapped(keys, state);
    if (writes.length > 0) await this.dataKeys.bulkWrite(writes, { ordered: false });
    return last === undefined ? { passes: state.passes + 1, dueAt: now } : { cursor: last, dueAt: now };
  }

  private async readPage(state: GenerationState): Promise<Page> {
    const isProving = state.passes > 0;
    const limit = this.options.pageSize ?? (isProving ? PROVING_PAGE_SIZE : PAGE_SIZE);
    const page = await this.dataKeys
      .find(after(state), { sort: { _id: 1 }, limit, ...(isProving && { projection: { by: 1 } }) })
      .toArray();
    const last = page.length === limit ? page.at(-1)?._id : undefined;
    return { last, keys: isProving ? await this.readWhole(olderThan(state, page)) : page };
  }

  private async readWhole(keys: readonly Pick<DataKeyDocument, '_id'>[]): Promise<readonly DataKeyDocument[]> {
    if (keys.length === 0) return [];
    return this.dataKeys.find({ _id: { $in: keys.map(({ _id }) => _id) } }).toArray();
  }

  private async rewrapped(keys: readonly DataKeyDocument[], state: GenerationState) {
    const writes = [];
    for (const [n, document] of olderThan(state, keys).entries()) {
      if (n % WRAPS_PER_TURN === 0) await nextTurn();
      const { _id, ws, by } = document;
      const wrapped = await this.rewrap(document, state);
      if (wrapped === undefined) continue;
      // A key that was destroyed meanwhile stays destroyed: nothing matches.
      writes.push({ updateOne: { filter: { _id, ws, by }, update: { $set: { by: state.current, wrapped } } } });
    }
    return writes;
  }

  /** Undefined for a key that opens nowhere any more. */
  private async rewrap({ _id, ws, by, wrapped }: DataKeyDocument, { current, gone }: GenerationState) {
    const [from, to] = [await this.wrappers.find(ws, by), await this.wrappers.find(ws, current)];
    if (!to) throw this.generations.lostError(current);
    if (from) {
      const again = rewrap(
        wrapped,
        { key: from, aad: wrapAad(ws, _id, by) },
        { key: to, aad: wrapAad(ws, _id, current) },
      );
      if (again === undefined) throw unreadable(_id, by);
      return again;
    }
    if (by > Math.max(gone, STORED_GENERATION)) throw this.generations.lostError(by);
    return undefined;
  }
}

/** At least the keys of a page that an older generation wraps. `last`: where the next page begins; undefined at the end of the pass. */
interface Page {
  readonly last: string | undefined;
  readonly keys: readonly DataKeyDocument[];
}

const unreadable = (kid: string, by: number): VaultError =>
  new VaultError(
    'key-unreadable',
    `the stored data key ${kid} does not open with the secret of its generation ${by}: ` +
      'the key was altered, or the secret is another one',
  );

const olderThan = <K extends { readonly by: number }>({ current }: GenerationState, keys: readonly K[]): K[] =>
  keys.filter(({ by }) => by < current);

const after = ({ cursor }: GenerationState) => (cursor === undefined ? {} : { _id: { $gt: cursor } });

const keptCursor = ({ cursor }: GenerationState): { cursor?: string } => (cursor === undefined ? {} : { cursor });
