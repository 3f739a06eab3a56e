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
import { legalCalendarUpdate, type LegalCalendarChange } from './legal-calendar-change';
import { checkNewWorkspace, type NewWorkspace } from './new-workspace';
import { findWorkspace, workspaceOf, type Workspace } from './workspace';
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

export interface Sandbox {
  readonly ws: string;
  readonly controllerId: string;
  readonly key: string;
  readonly secret: string;
}

/** The secret that verifies a signed call. */
export interface Signer {
  readonly secret: string;
  /** Call it only after the signature matched. Undefined: the key is unknown, expired, revoked or without the scope. */
  readonly workspace: () => Promise<Workspace | undefined>;
  readonly failed: () => Promise<void>;
}

interface Claim {
  readonly credential: CredentialDocument | undefined;
  readonly failed: () => Promise<CredentialDocument | undefined>;
}

/** Workspaces and their credentials, in the shared database `workspaces`. `clock` returns milliseconds since 1970. */
export class Workspaces {
  readonly credentials: Credentials;
  private readonly workspaces: Collection<WorkspaceDocument>;
  private readonly stored: Collection<CredentialDocument>;
  private readonly secrets: KeptSecrets;
  private readonly workspaceCache: LoadingCache<Workspace>;
  private readonly credentialCache: LoadingCache<CredentialDocument>;
  /** Recently failed keys, apart from the others, so that a flood of invented keys evicts no real one. */
  private readonly failedKeys: AgedCache<'known' | 'unknown'>;

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

  /** Call it before listening: creates the indexes. Throws a VaultError `master-key-wrong`. */
  async ready(): Promise<void> {
    await ensureIndexes(this.connection);
    await checkSeal(this.connection, this.seal);
  }

  /** `unknown`: 401, `forbidden`: no scope. A revocation is known within 30 s, a new key within 5 s. Every failure costs the same work. */
  async authenticate(key: string, secret: string, scope: Scope): Promise<Workspace | 'unknown' | 'forbidden'> {
    const { credential, failed } = await this.claim(key);
    if (this.secrets.isSecret({ key, secret }, credential)) return this.admit(credential, scope);
    const stored = await failed();
    return this.secrets.isSecret({ key, secret }, stored) ? this.admit(stored, scope) : 'unknown';
  }

  /** `authenticate` without the secret, for callers that prove themselves in another way. */
  async authenticateKey(key: string, scope: Scope): Promise<Workspace | 'unknown' | 'forbidden'> {
    const { credential, failed } = await this.claim(key);
    const admitted = await this.admit(credential, scope);
    return typeof admitted === 'string' ? this.admit(await failed(), scope) : admitted;
  }

  /** The secret that verifies the HMAC of a call; an unknown key gets an invented one with the same work. Throws a VaultError. */
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
    return this.workspaceCache.get(ws, () => findWorkspace(this.connection, ws));
  }

  /** Throws WorkspaceTaken, or a TypeError on invalid fields. Two concurrent calls may create the same name. */
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

  /** At most 1,000 workspaces by id, or fewer, beginning after `after`. */
  async list(after = '', limit = MAX_LISTED): Promise<Workspace[]> {
    const documents = await this.workspaces
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(Math.min(limit, MAX_LISTED))
      .toArray();
    return documents.map(workspaceOf);
  }

  setAfterErasure(ws: string, afterErasure: AfterErasurePolicy): Promise<boolean> {
    return this.update(ws, { afterErasure });
  }

  setDeviceMatching(ws: string, deviceMatching: DeviceMatching): Promise<boolean> {
    return this.update(ws, { deviceMatching });
  }

  /** Throws a TypeError on an invalid class. */
  async setClass(ws: string, kind: string): Promise<boolean> {
    if (!isWorkspaceClass(kind)) throw new TypeError('the class of a workspace is not one word that metrics can show');
    return this.update(ws, { class: kind });
  }

  /** Throws a TypeError where nothing changes, or a value is none. Requests that were admitted keep their dates. */
  async setLegalCalendar(ws: string, change: LegalCalendarChange): Promise<Workspace | undefined> {
    const update = legalCalendarUpdate(change);
    const document = await this.workspaces.findOneAndUpdate({ _id: ws }, update, { returnDocument: 'after' });
    this.workspaceCache.drop(ws);
    return document ? workspaceOf(document) : undefined;
  }

  /** Creates or updates the sandbox; a revoked credential stays revoked. Throws if the key belongs to another workspace. */
  async ensureSandbox({ ws, controllerId, key, secret }: Sandbox): Promise<void> {
    const createdAt = new Date(this.clock());
    const isOurs = await upserted(() =>
      this.stored.updateOne(
        { _id: key, ws },
        { $set: this.secrets.storedFields(ws, SCOPES, { key, secret }), $setOnInsert: { createdAt } },
        { upsert: true },
      ),
    );
    if (!isOurs) throw new Error(`the sandbox key ${key} belongs to another workspace`);
    await upserted(() =>
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

  private async update(
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

  /** The first failure costs a look-up, cached or not; further ones cost none for 5 s. */
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

/** Concurrent upserts may both insert; the loser retries. False: another document has the id. */
async function upserted(upsert: () => Promise<unknown>, triesLeft = 1): Promise<boolean> {
  try {
    await upsert();
    return true;
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    return triesLeft > 0 && upserted(upsert, triesLeft - 1);
  }
}
