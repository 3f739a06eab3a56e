import type { Collection } from 'mongoose';
import type { BasicCredentials } from './basic';
import { checkWorkspace } from './check-workspace';
import { KeyEnded, TooManyKeys, UnknownKey } from './faults';
import type { KeptSecrets } from './kept-secrets';
import { activeKeysOf, endedKeysOf, stateOf, type KeyState } from './key-state';
import { newCredential } from './new-credential';
import {
  SCOPES,
  type Collections,
  type CredentialDocument,
  type Scope,
  type WorkspaceDocument,
} from './workspace-documents';

/** In force at once. Racing additions may exceed the limit by as many as race. */
export const MAX_KEYS = 100;
/** After this every process knows that a key was revoked, or that it is to expire. */
export const KEY_KNOWN_MS = 30_000;
const MAX_READ = 1_000;
const MAX_ENDED = 100;

/** An API key as an operator may see it. */
export interface ApiKey extends Pick<CredentialDocument, 'ws' | 'scopes' | 'createdAt' | 'expiresAt' | 'revokedAt'> {
  readonly key: string;
  readonly state: KeyState;
}

export interface NewKey {
  /** What it lets in to; at least one. */
  readonly scopes: readonly Scope[];
  /** Absent: never. */
  readonly expiresAt?: Date;
}

export interface Rotation {
  /** How long the old key works on; at least `KEY_KNOWN_MS`, so that it ends everywhere at the same time. */
  readonly overlapMs: number;
  /** When the new key expires; absent: never. */
  readonly expiresAt?: Date;
}

/** A new key that takes the place of another. */
export interface Successor extends BasicCredentials {
  readonly ws: string;
  readonly scopes: readonly Scope[];
  /** When the old key expires. */
  readonly oldExpiresAt: Date;
}

/** The API keys of workspaces, as operators make and end them. `clock` answers milliseconds since 1970. */
export class Credentials {
  private readonly workspaces: Collection<WorkspaceDocument>;
  private readonly credentials: Collection<CredentialDocument>;

  constructor(
    { workspaces, credentials }: Collections,
    private readonly secrets: KeptSecrets,
    private readonly clock: () => number,
  ) {
    this.workspaces = workspaces;
    this.credentials = credentials;
  }

  /**
   * Makes a key with a secret of 256 bits, which cannot be read again, and which every process lets in at once: within 5 s where it was
   * tried before. Throws UnknownWorkspace, TooManyKeys, or a TypeError for what cannot be right.
   */
  async createKey(ws: string, { scopes, expiresAt }: NewKey): Promise<BasicCredentials> {
    const createdAt = new Date(this.clock());
    checkScopes(scopes);
    checkExpiry(expiresAt, createdAt);
    await this.checkRoom(ws, createdAt);
    const made = newCredential();
    await this.credentials.insertOne({
      _id: made.key,
      ws,
      ...this.secrets.of(ws, scopes, made),
      createdAt,
      ...(expiresAt && { expiresAt }),
    });
    return made;
  }

  /**
   * Makes a key for the same workspace and scopes, and has the old one expire after the overlap, or when it would have anyhow.
   * Throws UnknownKey, KeyEnded, TooManyKeys, or a TypeError for what cannot be right.
   */
  async rotateKey(key: string, { overlapMs, expiresAt }: Rotation): Promise<Successor> {
    if (!(overlapMs >= KEY_KNOWN_MS)) throw new TypeError(`the overlap is at least ${KEY_KNOWN_MS} ms`);
    const now = this.clock();
    const old = await this.credentials.findOne({ _id: key });
    if (!old) throw new UnknownKey(`there is no key ${key}`);
    const state = stateOf(old, now);
    if (state !== 'active') throw new KeyEnded(`${key} is ${state} and cannot be rotated: create a key`);
    const { ws, scopes } = old;
    // First, so that whatever fails the callers of the old key are not left without one.
    const made = await this.createKey(ws, { scopes, expiresAt });
    // Whatever it was revoked or rotated to meanwhile, it gets no longer life.
    await this.credentials.updateOne({ _id: key, ws }, { $min: { expiresAt: new Date(now + overlapMs) } });
    return {
      ...made,
      ws,
      scopes,
      oldExpiresAt: new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Infinity)),
    };
  }

  /** Ends a key for good; every process knows within 30 s. Repeating it changes nothing. False where there is no such key. */
  async revokeKey(key: string): Promise<boolean> {
    const found = await this.credentials.findOne({ _id: key });
    if (!found) return false;
    await this.credentials.updateOne(
      { _id: key, ws: found.ws, revokedAt: { $exists: false } },
      { $set: { revokedAt: new Date(this.clock()) } },
    );
    return true;
  }

  /** The keys in force, the oldest first, and then the newest hundred of those that have ended. Throws UnknownWorkspace. */
  async keys(ws: string): Promise<ApiKey[]> {
    await checkWorkspace(this.workspaces, ws);
    const now = new Date(this.clock());
    const active = await this.credentials
      .find(activeKeysOf(ws, now))
      .sort({ createdAt: 1, _id: 1 })
      .limit(MAX_READ)
      .toArray();
    const ended = await this.credentials
      .find(endedKeysOf(ws, now))
      .sort({ createdAt: -1, _id: 1 })
      .limit(MAX_ENDED)
      .toArray();
    return [...active, ...ended].map((credential) => apiKeyOf(credential, now));
  }

  private async checkRoom(ws: string, now: Date): Promise<void> {
    await checkWorkspace(this.workspaces, ws);
    const active = await this.credentials.countDocuments(activeKeysOf(ws, now));
    if (active >= MAX_KEYS)
      throw new TooManyKeys(`${ws} has ${MAX_KEYS} keys in force already: revoke one that is not used`);
  }
}

function checkScopes(scopes: readonly Scope[]): void {
  if (scopes.length === 0 || new Set(scopes).size < scopes.length || !scopes.every((scope) => SCOPES.includes(scope)))
    throw new TypeError(`the scopes of a key are some of ${SCOPES.join(', ')}`);
}

function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt && !(expiresAt > now)) throw new TypeError('a key expires at a time to come');
}

const apiKeyOf = ({ _id, ws, scopes, createdAt, expiresAt, revokedAt }: CredentialDocument, now: Date): ApiKey => ({
  key: _id,
  ws,
  scopes,
  state: stateOf({ expiresAt, revokedAt }, now.getTime()),
  createdAt,
  ...(expiresAt && { expiresAt }),
  ...(revokedAt && { revokedAt }),
});
