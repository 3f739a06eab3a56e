import { createHmac, randomUUID, type KeyObject } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import type { GenerationSecrets } from './generation-secrets';
import { insertOrRead } from './insert-or-read';
import { KEY_CACHE_MS } from './key-cache-ms';
import { LoadingCache } from './loading-cache';
import type { GenerationState } from './rotation-steps';
import { VaultError } from './vault-error';

interface KnownState extends GenerationState {
  /** Identifies the secret of the current generation without revealing it. Absent where a version made it that kept none. */
  readonly secretId?: string;
}

interface GenerationsDocument extends KnownState {
  readonly _id: typeof ID;
  /** When the next step of the rotation is due, by the settings of the process that recorded it; a claim postpones it (decision 7). */
  readonly dueAt: Date;
  readonly token?: string;
}

const ID = 'generations';
const STATE = 'state';
/** Generation 1 stands for the keys of the time before generations: wrapped by the master key, and stored. */
const FIRST = 2;
const MAX_SECRETS = 16;
const LEASE_MS = 60_000;
const SECRET_ID_LENGTH = 16;

/** What a step of the rotation changes; undefined removes the field. */
export type RotationChange = Partial<Omit<GenerationsDocument, '_id' | 'token'>> & { readonly dueAt: Date };

const secretIdOf = (secret: KeyObject): string =>
  createHmac('sha256', secret).update('generation-secret-id').digest('base64url').slice(0, SECRET_ID_LENGTH);

/** Whether it is the secret of the current generation. */
export const isSecretOf = ({ secretId }: KnownState, secret: KeyObject): boolean =>
  secretId === undefined || secretId === secretIdOf(secret);

/** When a step is due by the settings of this process. */
type StepDue = (state: GenerationState) => Date;

/** What was recorded may be later: by the settings of before. A claim holds under any settings. */
function dueAtOf(known: GenerationsDocument, stepDueAt: StepDue): Date {
  const stepAt = stepDueAt(known);
  return known.token === undefined && stepAt < known.dueAt ? stepAt : known.dueAt;
}

const collectionOf = (connection: Connection): Collection<GenerationsDocument> =>
  connection.collection<GenerationsDocument>('generations');

/** Undefined where workspace keys of this database do not come from generations. */
export const stateOf = async (connection: Connection): Promise<KnownState | undefined> =>
  (await collectionOf(connection).findOne({ _id: ID })) ?? undefined;

/** Which generation wraps new keys, and the secrets of those that still exist (decision 26). */
export class Generations {
  private readonly collection: Collection<GenerationsDocument>;
  private readonly states: LoadingCache<KnownState>;
  private readonly secretCache: LoadingCache<KeyObject>;
  private readonly cached = new Set<number>();

  constructor(
    connection: Connection,
    private readonly secrets: GenerationSecrets,
    private readonly clock: () => number,
  ) {
    this.collection = collectionOf(connection);
    this.states = new LoadingCache({ maxEntries: 1, maxAgeMs: KEY_CACHE_MS }, clock);
    // The secret of a generation never changes, so a key service that is away stops nothing. `read` drops it at its end.
    this.secretCache = new LoadingCache({ maxEntries: MAX_SECRETS, maxAgeMs: Infinity }, clock);
  }

  /** Creates the first generation. Throws a VaultError `generation-lost` if the secret of the current one is not in its place. */
  async ready(): Promise<void> {
    const now = new Date(this.clock());
    const { current } = await insertOrRead<GenerationsDocument>(
      { _id: ID, current: FIRST, gone: 0, turnedAt: now, passes: 0, dueAt: now },
      () => this.collection.findOne({ _id: ID }),
      async (first) => this.collection.insertOne({ ...first, secretId: await this.createSecret(FIRST) }),
    );
    // Kept: the first key that is opened does not ask the key service again.
    if (!(await this.secret(current))) throw this.lostError(current);
  }

  lostError(generation: number): VaultError {
    return new VaultError(
      'generation-lost',
      `the keys in this database are wrapped by generation ${generation}, whose secret does not exist: ` +
        'it was destroyed and this is a copy of before, or the secrets lie elsewhere',
    );
  }

  /** The generation for new keys, as of at most a minute ago: ask `isCurrent` once they are stored. */
  async current(): Promise<number> {
    return (await this.state()).current;
  }

  /** Asks the database. */
  async isCurrent(generation: number): Promise<boolean> {
    return (await this.read()).current === generation;
  }

  async secret(generation: number): Promise<KeyObject | undefined> {
    const state = await this.state();
    return this.secretCache.get(String(generation), async () => {
      const secret = await this.readSecret(generation, state);
      if (secret) this.cached.add(generation);
      return secret;
    });
  }

  /**
   * Asks the place of the secrets itself. Before anything is made or destroyed there: in another place, such as a mount or
   * an account that has changed, every secret is missing. Throws a VaultError `generation-lost` if the current one is, or is
   * another one.
   */
  async provePlace(): Promise<void> {
    const state = await this.read();
    if (!(await this.readSecret(state.current, state))) throw this.lostError(state.current);
  }

  /** Resolves with its `secretId`. */
  async createSecret(generation: number): Promise<string> {
    await this.secrets.create(generation);
    const secret = await this.secrets.read(generation);
    if (!secret) throw this.lostError(generation);
    return secretIdOf(secret);
  }

  async destroySecret(generation: number): Promise<void> {
    this.forget(generation);
    await this.secrets.destroy(generation);
    this.forget(generation);
  }

  /** Asks the database, and drops the secrets that are destroyed. */
  async read(): Promise<KnownState> {
    const state = await this.states.reload(
      STATE,
      async () => (await this.collection.findOne({ _id: ID })) ?? undefined,
    );
    if (!state) throw new VaultError('generation-lost', 'the state of the generations is gone from the keys database');
    for (const generation of this.cached) if (generation <= state.gone) this.forget(generation);
    return state;
  }

  /** The state, if its next step is due, by the record or by `stepDueAt`, and no other process is at it. */
  async claim(stepDueAt: StepDue): Promise<{ readonly state: GenerationState; readonly token: string } | undefined> {
    const now = new Date(this.clock());
    const known = await this.collection.findOne({ _id: ID });
    if (!known || dueAtOf(known, stepDueAt) > now) return undefined;
    const token = randomUUID();
    const state = await this.collection.findOneAndUpdate(
      { _id: ID, dueAt: known.dueAt, token: known.token ?? { $exists: false } },
      { $set: { dueAt: new Date(now.getTime() + LEASE_MS), token } },
      { returnDocument: 'after' },
    );
    return state ? { state, token } : undefined;
  }

  /** Records a step; without effect if another process has taken the claim. */
  async record(token: string, change: RotationChange): Promise<void> {
    const { cursor, ...set } = change;
    await this.collection.updateOne(
      { _id: ID, token },
      cursor === undefined
        ? { $set: set, $unset: { token: 1, cursor: 1 } }
        : { $set: { ...set, cursor }, $unset: { token: 1 } },
    );
    this.states.drop(STATE);
  }

  /** When the next claim can succeed. */
  async dueAt(stepDueAt: StepDue): Promise<Date | undefined> {
    const known = await this.collection.findOne({ _id: ID });
    return known ? dueAtOf(known, stepDueAt) : undefined;
  }

  private async state(): Promise<KnownState> {
    return this.states.peek(STATE) ?? this.read();
  }

  /** What is sealed under another secret of this name would be lost once the right one is back in its place. */
  private async readSecret(generation: number, state: KnownState): Promise<KeyObject | undefined> {
    const secret = await this.secrets.read(generation);
    if (secret && generation === state.current && !isSecretOf(state, secret))
      throw new VaultError(
        'generation-lost',
        `the secret of generation ${generation} is another one than that by which the keys in this database are ` +
          'wrapped: the secrets lie elsewhere',
      );
    return secret;
  }

  private forget(generation: number): void {
    this.cached.delete(generation);
    this.secretCache.drop(String(generation));
  }
}
