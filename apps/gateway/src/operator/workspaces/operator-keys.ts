import { randomUUID } from 'node:crypto';
import { parseDurationMs } from '@opendsr-service/config';
import { badRequest, conflict, invalid, notFound, type ApiError } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import {
  KEY_KNOWN_MS,
  KeyEnded,
  KeyRotated,
  ROTATED_ALONE_MS,
  TooManyKeys,
  UnknownWorkspace,
  type ApiKey,
  type Scope,
  type Workspaces,
} from '@opendsr-service/workspaces';
import type { ServiceAction } from '../../audit/audit-entry';
import type { AuditStore } from '../../audit/audit.store';
import type { WorkspaceDecision } from '../decisions/decision';

const DAY_MS = 86_400_000;
/** As `dsr keys`. */
const LONGEST_MS = 3_650 * DAY_MS;

/** A key with its secret, which nothing shows again. */
export interface MadeKey {
  readonly key: string;
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

interface OperatorKeysParts {
  readonly credentials: Workspaces['credentials'];
  readonly audit: Pick<AuditStore, 'add'>;
  readonly clock: Clock;
}

/** The API keys of workspaces, as `dsr keys` treats them. The audit trail records each change before it is done, its reason in clear: it names no person. */
export class OperatorKeys {
  constructor(private readonly parts: OperatorKeysParts) {}

  /** Throws a 404 for a workspace that does not exist. */
  list(ws: string): Promise<readonly ApiKey[]> {
    return this.parts.credentials.keys(ws).catch(refuse);
  }

  async create(wish: WorkspaceDecision, scopes: readonly Scope[], expiresIn: string | undefined): Promise<MadeKey> {
    const expiresAt = this.after(expiresIn);
    await this.list(wish.ws);
    await this.note(wish, { action: 'api-key-create-asked' });
    const createdAt = this.parts.clock.now();
    const made = await this.parts.credentials
      .createKey(wish.ws, { scopes, ...(expiresAt && { expiresAt }) })
      .catch(refuse);
    return { ...made, scopes, createdAt, expiresAt };
  }

  /** The old key ends after the overlap, a day by default. */
  async rotate(
    wish: WorkspaceDecision,
    key: string,
    { overlap, expiresIn }: { readonly overlap: string | undefined; readonly expiresIn: string | undefined },
  ): Promise<MadeKey & { readonly oldExpiresAt: Date }> {
    const overlapMs = msOf('overlap', overlap, KEY_KNOWN_MS) ?? DAY_MS;
    const expiresAt = this.after(expiresIn);
    const old = await this.find(wish.ws, key);
    if (old.state !== 'active') throw ended();
    await this.note(wish, { action: 'api-key-rotation-asked', key });
    const createdAt = this.parts.clock.now();
    const made = await this.parts.credentials
      .rotateKey(key, { overlapMs, ...(expiresAt && { expiresAt }) })
      .catch(refuse);
    return { ...made, createdAt, expiresAt };
  }

  async revoke(wish: WorkspaceDecision, key: string): Promise<void> {
    await this.find(wish.ws, key);
    await this.note(wish, { action: 'api-key-revocation-asked', key });
    await this.parts.credentials.revokeKey(key);
  }

  /** A key of another workspace is unknown. */
  private async find(ws: string, key: string): Promise<ApiKey> {
    const found = (await this.list(ws)).find((one) => one.key === key);
    if (!found) throw notFound();
    return found;
  }

  private after(expiresIn: string | undefined): Date | undefined {
    const ms = msOf('expires_in', expiresIn, KEY_KNOWN_MS);
    return ms === undefined ? undefined : new Date(this.parts.clock.now().getTime() + ms);
  }

  private note(
    { ws, subject: by, role, reason: because, requestId }: WorkspaceDecision,
    what: Pick<ServiceAction, 'action' | 'key'>,
  ): Promise<void> {
    const entry = { ws, srid: '', by, role, because, at: this.parts.clock.now(), requestId, ...what };
    return this.parts.audit.add(randomUUID(), entry);
  }
}

function msOf(name: string, text: string | undefined, leastMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= leastMs && ms <= LONGEST_MS) return ms;
  throw badRequest([invalid(`${name} must be a duration from ${leastMs}ms to ${LONGEST_MS / DAY_MS}d.`)]);
}

export const ended = (): ApiError => conflict('The key has ended: create one.');
/** The list of keys does not show it: its entity tag may be the newest. */
export const rotated = (): ApiError =>
  conflict(
    'The key is being rotated, or was a moment ago: read the list of keys again, and rotate it after ' +
      `${ROTATED_ALONE_MS / 1_000} seconds if it has no successor.`,
  );

function refuse(error: unknown): never {
  if (error instanceof UnknownWorkspace) throw notFound();
  if (error instanceof TooManyKeys) throw conflict('The workspace has as many keys as it may: revoke one.');
  if (error instanceof KeyRotated) throw rotated();
  throw error instanceof KeyEnded ? ended() : error;
}
