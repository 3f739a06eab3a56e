import { randomUUID, type KeyObject } from 'node:crypto';
import type { AfterErasurePolicy, DeviceMatching } from '@opendsr-service/contracts';
import { duplicateKey, ensureIndexes } from '@opendsr-service/storage';
import { AgedCache, LoadingCache, type MasterSeal } from '@opendsr-service/vault';
import type { Collection, Connection } from 'mongoose';
import { checkSeal } from './check-seal';
import { Credentials, KEY_KNOWN_MS } from './credentials';
import { WorkspaceTaken } from './faults';
import { KeptSecrets } from './kept-secrets';
import { stateOf } from './key-state';
import { checkNewWorkspace, type NewWorkspace } from './new-workspace';
import { isWorkspaceClass, SANDBOX_CLASS, STANDARD_CLASS } from './workspace-class';
import {
  collectionsOf,
  SCOPES,
  type CredentialDocument,
  type Scope,
  type WorkspaceDocument,
} from './workspace-documents';

const MAX_ENTRIES = 10_000;
const KNOWN = { maxEntries: MAX_ENTRIES, maxAgeMs: KEY_KNOWN_MS };
const FAILED = { maxEntries: MAX_ENTRIES, maxAgeMs: 5_000 };
const MAX_LISTED = 1_000;

export interface Workspace {
  readonly ws: string;
  readonly name: string;
  /** Stands in callbacks and receipts as `controller_id`. */
  readonly controllerId: string;
  /** What becomes of data that arrives for an erased identity. */
  readonly afterErasure: AfterErasurePolicy;
  /** Which profiles the device identities of a request reach. */
  readonly deviceMatching: DeviceMatching;
  /** The operator's word for a kind of customers: the one thing that metrics say of a workspace. */
  readonly class: string;
  readonly createdAt: Date;
}

export interface Sandbox {
  readonly ws: string;
  readonly controllerId: string;
  readonly key: string;
  readonly secret: string;
}

/** What a signed call is verified with. */
export interface Signer {
  readonly secret: string;
  /** Whose key it is; undefined: nobody's. Asked where the signature fits alone, so that a failure costs no look-up of a workspace. */
  readonly workspace: () => Promise<Workspace | undefined>;
  /** Await it where the signature does not fit. */
  readonly failed: () => Promise<void>;
}

/** A key that somebody says is theirs. */
interface Claim {
  readonly credential: CredentialDocument | undefined;
  /** They have not proved it: what the store says by now. */
  readonly failed: () => Promise<CredentialDocument | undefined>;
}

/** Workspaces and their credentials, in the shared database `workspaces`. `clock` answers milliseconds since 1970. */
export class Workspaces {
  /** Their API keys, as operators make and end them. */
  readonly credentials: Credentials;
  private readonly workspaces: Collection<WorkspaceDocument>;
  private readonly stored: Collection<CredentialDocument>;
  private readonly secrets: KeptSecrets;
  private readonly workspaceCache: LoadingCache<Workspace>;
  private readonly credentialCache: LoadingCache<CredentialDocument>;
  /**
   * Keys that somebody lately failed to prove, and whether they exist. Kept apart, so that a flood of invented keys
   * pushes no real one out of memory.
   */
  private readonly failedKeys: AgedCache<'known' | 'unknown'>;

  /** `credentialKey` is the vault's system key `credentials`. */
  constructor(
    private readonly connection: Connection,
    credentialKey: KeyObject,
    private readonly seal: MasterSeal,
    private readonly clock: () => number,
  ) {
    const collections = collectionsOf(connection);
    ({ workspaces: this.workspaces, credentials: this.stored } = collections);
    this.secrets = new KeptSecrets(credentialKey, seal);
    this.credentials = new Credentials(collections, this.secrets, clock);
    this.workspaceCache = new LoadingCache(KNOWN, clock);
    this.credentialCache = new LoadingCache(KNOWN, clock);
    this.failedKeys = new AgedCache(FAILED, clock);
  }

  /**
   * Await it before listening: creates the indexes. Throws a VaultError `master-key-wrong` where secrets were sealed
   * under another master key.
   */
  async ready(): Promise<void> {
    await ensureIndexes(this.connection);
    await checkSeal(this.connection, this.seal);
  }

  /**
   * `unknown` (401) for whatever does not prove itself: no such key, wrong secret, expired, revoked; the caller cannot tell which.
   * `forbidden` (403) for a proven credential without the scope. A revocation is known within 30 s, a new key within 5 s.
   * Whoever fails costs the same queries and hashes, whether the key exists or not, so that the time tells nothing.
   */
  async authenticate(key: string, secret: string, scope: Scope): Promise<Workspace | 'unknown' | 'forbidden'> {
    const { credential, failed } = await this.claim(key);
    if (this.secrets.isSecret({ key, secret }, credential)) return this.admit(credential, scope);
    const stored = await failed();
    return this.secrets.isSecret({ key, secret }, stored) ? this.admit(stored, scope) : 'unknown';
  }

  /** The same by the key alone, for who has proved itself another way, or need not. Whether that is enough its caller decides. */
  async authenticateKey(key: string, scope: Scope): Promise<Workspace | 'unknown' | 'forbidden'> {
    const { credential, failed } = await this.claim(key);
    const admitted = await this.admit(credential, scope);
    return typeof admitted === 'string' ? this.admit(await failed(), scope) : admitted;
  }

  /**
   * What to verify the HMAC of a call with: secrets are kept for that with scope `ingest` alone. Where its workspace
   * is undefined the secret is nobody’s,
   * and the work is the same. Throws a VaultError where a secret was sealed for another key.
   */
  async signer(key: string, scope: Scope): Promise<Signer> {
    const { credential, failed } = await this.claim(key);
    const workspace = async (): Promise<Workspace | undefined> => {
      const admitted = credential?.sealed === undefined ? 'unknown' : await this.admit(credential, scope);
      return typeof admitted === 'string' ? undefined : admitted;
    };
    return { secret: this.secrets.openOrInvent(credential), workspace, failed: async () => void (await failed()) };
  }

  /** At most 30 s old. */
  get(ws: string): Promise<Workspace | undefined> {
    return this.workspaceCache.get(ws, async () => {
      const document = await this.workspaces.findOne({ _id: ws });
      return document ? workspaceOf(document) : undefined;
    });
  }

  /**
   * Makes a workspace. Its controller's id stands in callbacks and receipts. Throws WorkspaceTaken, or a TypeError for
   * what cannot be right.
   * That names differ is for the people who read them: two of one name made at the same instant would both be kept.
   */
  async create(given: NewWorkspace): Promise<Workspace> {
    checkNewWorkspace(given);
    const { ws, name, controllerId = randomUUID(), class: kind = STANDARD_CLASS } = given;
    const namesake = await this.workspaces.findOne({ name });
    if (namesake) throw new WorkspaceTaken(`the workspace ${namesake._id} has the name ${name} already`);
    const document = { _id: ws, name, controllerId, class: kind, createdAt: new Date(this.clock()) };
    await this.workspaces.insertOne(document).catch((error: unknown) => {
      throw duplicateKey(error) ? new WorkspaceTaken(`there is a workspace ${ws} already`) : error;
    });
    return workspaceOf(document);
  }

  /** A thousand workspaces at most, by id, from the one after `after` on. */
  async list(after = ''): Promise<Workspace[]> {
    const documents = await this.workspaces
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(MAX_LISTED)
      .toArray();
    return documents.map(workspaceOf);
  }

  /** Says what becomes of data that arrives for an erased identity; processes know within 30 s. False where there is no such workspace. */
  setAfterErasure(ws: string, afterErasure: AfterErasurePolicy): Promise<boolean> {
    return this.set(ws, { afterErasure });
  }

  /** Says which profiles the device identities of a request reach; processes know within 30 s. False where there is no such workspace. */
  setDeviceMatching(ws: string, deviceMatching: DeviceMatching): Promise<boolean> {
    return this.set(ws, { deviceMatching });
  }

  /**
   * Says what kind of customer a workspace is, for metrics; processes know within 30 s. False where there is no such
   * workspace; throws a TypeError for what is no class.
   */
  async setClass(ws: string, kind: string): Promise<boolean> {
    if (!isWorkspaceClass(kind)) throw new TypeError('the class of a workspace is not one word that metrics can show');
    return this.set(ws, { class: kind });
  }

  /**
   * Makes the workspace of the sandbox and its credential, or brings them to what is configured; repeating it changes nothing.
   * A revoked credential stays revoked. Throws where the key belongs to another workspace.
   */
  async ensureSandbox({ ws, controllerId, key, secret }: Sandbox): Promise<void> {
    const createdAt = new Date(this.clock());
    const isOurs = await settled(() =>
      this.stored.updateOne(
        { _id: key, ws },
        { $set: this.secrets.of(ws, SCOPES, { key, secret }), $setOnInsert: { createdAt } },
        { upsert: true },
      ),
    );
    if (!isOurs) throw new Error(`the sandbox key ${key} belongs to another workspace`);
    await settled(() =>
      this.workspaces.updateOne(
        { _id: ws },
        { $set: { controllerId }, $setOnInsert: { name: 'Sandbox', class: SANDBOX_CLASS, createdAt } },
        { upsert: true },
      ),
    );
    this.workspaceCache.drop(ws);
    this.credentialCache.drop(key);
    this.failedKeys.drop(key);
  }

  private async set(
    ws: string,
    fields: Partial<Pick<WorkspaceDocument, 'afterErasure' | 'deviceMatching' | 'class'>>,
  ): Promise<boolean> {
    const { matchedCount } = await this.workspaces.updateOne({ _id: ws }, { $set: fields });
    this.workspaceCache.drop(ws);
    return matchedCount === 1;
  }

  private async admit(
    credential: CredentialDocument | undefined,
    scope: Scope,
  ): Promise<Workspace | 'unknown' | 'forbidden'> {
    if (!credential || !this.isInForce(credential)) return 'unknown';
    if (!credential.scopes.includes(scope)) return 'forbidden';
    return (await this.get(credential.ws)) ?? 'unknown';
  }

  private async credential(key: string): Promise<CredentialDocument | undefined> {
    if (this.failedKeys.get(key) === 'unknown') return undefined;
    return this.credentialCache.get(key, () => this.read(key));
  }

  private async claim(key: string): Promise<Claim> {
    const cached = this.credentialCache.peek(key);
    const credential = cached ?? (await this.credential(key));
    return { credential, failed: () => this.failed(key, credential, cached !== undefined) };
  }

  /** A key that is not in memory cost its first failure a look-up, so one that is there costs it too; then there is none for a while. */
  private async failed(
    key: string,
    credential: CredentialDocument | undefined,
    wasCached: boolean,
  ): Promise<CredentialDocument | undefined> {
    if (this.failedKeys.get(key)) return credential;
    const found = wasCached ? await this.credentialCache.reload(key, () => this.read(key)) : credential;
    this.failedKeys.set(key, found ? 'known' : 'unknown');
    return found;
  }

  private async read(key: string): Promise<CredentialDocument | undefined> {
    return (await this.stored.findOne({ _id: key })) ?? undefined;
  }

  private isInForce(credential: CredentialDocument): boolean {
    return stateOf(credential, this.clock()) === 'active';
  }
}

const workspaceOf = ({
  _id,
  afterErasure = 'accept',
  deviceMatching = 'anonymous',
  class: kind = STANDARD_CLASS,
  name,
  controllerId,
  createdAt,
}: WorkspaceDocument): Workspace => ({
  ws: _id,
  name,
  controllerId,
  afterErasure,
  deviceMatching,
  class: kind,
  createdAt,
});

/** Two upserts at once may both insert; the loser finds the document when it tries again. False where it still collides. */
async function settled(upsert: () => Promise<unknown>, triesLeft = 1): Promise<boolean> {
  try {
    await upsert();
    return true;
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    return triesLeft > 0 && settled(upsert, triesLeft - 1);
  }
}
