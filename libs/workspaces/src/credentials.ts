import type { Collection } from 'mongoose';
import type { BasicCredentials } from './basic';
import { checkWorkspace } from './check-workspace';
import { KeyEnded, KeyRotated, TooManyKeys, UnknownKey } from './faults';
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

/** Of active keys in a workspace. Concurrent additions may exceed it. */
export const MAX_KEYS = 100;
/** After this time every process knows that a key was revoked or expires. */
export const KEY_KNOWN_MS = 30_000;
/** For so long nobody else rotates a key that is being rotated, or was a moment ago. */
export const ROTATED_ALONE_MS = 30_000;
const MAX_READ = 1_000;
const MAX_ENDED = 100;

/** An API key without its secret. */
export interface ApiKey extends Pick<CredentialDocument, 'ws' | 'scopes' | 'createdAt' | 'expiresAt' | 'revokedAt'> {
  readonly key: string;
  readonly state: KeyState;
}

interface NewKey {
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
}

interface Rotation {
  /** How long the old key stays valid; at least `KEY_KNOWN_MS`, so that it ends everywhere at the same time. */
  readonly overlapMs: number;
  readonly expiresAt?: Date;
}

/** The new key of a rotation. */
interface Successor extends BasicCredentials {
  readonly ws: string;
  readonly scopes: readonly Scope[];
  readonly oldExpiresAt: Date;
}

/** The API keys of workspaces, for the operator. */
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

  /** The workspace of a key, ended or not; undefined for a key that does not exist. */
  async workspaceOf(key: string): Promise<string | undefined> {
    return (await this.credentials.findOne({ _id: key }, { projection: { ws: 1 } }))?.ws;
  }

  /** Makes a key that processes know within 5 s. Throws UnknownWorkspace, TooManyKeys, or a TypeError on invalid fields. */
  async createKey(ws: string, { scopes, expiresAt }: NewKey): Promise<BasicCredentials> {
    const createdAt = new Date(this.clock());
    checkScopes(scopes);
    checkExpiry(expiresAt, createdAt);
    await this.checkRoom(ws, createdAt);
    const made = newCredential();
    await this.credentials.insertOne({
      _id: made.key,
      ws,
      ...this.secrets.storedFields(ws, scopes, made),
      createdAt,
      ...(expiresAt && { expiresAt }),
    });
    return made;
  }

  /**
   * Makes a key like the old one, which expires after the overlap. Of several who do so at once, one succeeds. Throws
   * UnknownKey, KeyEnded, KeyRotated, TooManyKeys, or a TypeError.
   */
  async rotateKey(key: string, { overlapMs, expiresAt }: Rotation): Promise<Successor> {
    if (!(overlapMs >= KEY_KNOWN_MS)) throw new TypeError(`the overlap is at least ${KEY_KNOWN_MS} ms`);
    const now = this.clock();
    const old = await this.credentials.findOne({ _id: key });
    if (!old) throw new UnknownKey(`there is no key ${key}`);
    const state = stateOf(old, now);
    if (state !== 'active') throw new KeyEnded(`${key} is ${state} and cannot be rotated: create a key`);
    const { ws, scopes } = old;
    const giveUp = await this.rotateAlone(old, now);
    // First, so that a failure leaves the callers of the old key with a valid one.
    const made = await this.createKey(ws, { scopes, expiresAt }).catch(giveUp);
    const ends = { $min: { expiresAt: new Date(now + overlapMs) } };
    await this.credentials.updateOne({ _id: key, ws }, ends).catch(async (error: unknown) => {
      // Nobody was given its secret.
      await this.revokeKey(made.key).catch(() => undefined);
      return giveUp(error);
    });
    return {
      ...made,
      ws,
      scopes,
      oldExpiresAt: new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Infinity)),
    };
  }

  /** Every process knows within 30 s. Idempotent. False: no such key. */
  async revokeKey(key: string): Promise<boolean> {
    const found = await this.credentials.findOne({ _id: key });
    if (!found) return false;
    await this.credentials.updateOne(
      { _id: key, ws: found.ws, revokedAt: { $exists: false } },
      { $set: { revokedAt: new Date(this.clock()) } },
    );
    return true;
  }

  /** The active keys, oldest first, then the newest hundred ended ones. Throws UnknownWorkspace. */
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
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_ENDED)
      .toArray();
    return [...active, ...ended].map((credential) => apiKeyOf(credential, now));
  }

  /** Returns what lets others rotate the key, after a failure. */
  private async rotateAlone(
    { _id, ws }: CredentialDocument,
    nowMs: number,
  ): Promise<(error: unknown) => Promise<never>> {
    const rotatedAt = new Date(nowMs);
    const isFree = [{ rotatedAt: { $exists: false } }, { rotatedAt: { $lte: new Date(nowMs - ROTATED_ALONE_MS) } }];
    const { matchedCount } = await this.credentials.updateOne({ _id, ws, $or: isFree }, { $set: { rotatedAt } });
    if (matchedCount === 0)
      throw new KeyRotated(
        `${_id} is being rotated, or was less than ${ROTATED_ALONE_MS / 1_000} s ago: list the keys of ${ws}, ` +
          `and rotate it ${ROTATED_ALONE_MS / 1_000} s later if it has no successor`,
      );
    return async (error) => {
      // The mark ends by itself, too, and why the rotation failed says more.
      await this.credentials.updateOne({ _id, ws, rotatedAt }, { $unset: { rotatedAt: 1 } }).catch(() => undefined);
      throw error;
    };
  }

  private async checkRoom(ws: string, now: Date): Promise<void> {
    await checkWorkspace(this.workspaces, ws);
    const active = await this.credentials.countDocuments(activeKeysOf(ws, now));
    if (active >= MAX_KEYS)
      throw new TooManyKeys(`${ws} has ${MAX_KEYS} active keys already: revoke one that is not used`);
  }
}

function checkScopes(scopes: readonly Scope[]): void {
  if (scopes.length === 0 || new Set(scopes).size < scopes.length || !scopes.every((scope) => SCOPES.includes(scope)))
    throw new TypeError(`the scopes of a key are some of ${SCOPES.join(', ')}`);
}

function checkExpiry(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt && !(expiresAt > now)) throw new TypeError('the expiry of a key must be in the future');
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
