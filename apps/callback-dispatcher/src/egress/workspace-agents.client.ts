import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@opendsr-service/service';
import type { Agent } from 'undici';
import type { ClientIdentity } from './client-identity.client';
import type { IdentityFiles } from './client-identities.store';

export interface WorkspaceAgentsParts {
  /** Throws on an identity that cannot be used. */
  readonly agentFor: (identity: ClientIdentity | undefined) => Agent;
  /** The files of the workspaces as they are now; undefined: none has any. */
  readonly read: (() => Promise<ReadonlyMap<string, IdentityFiles>>) | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** What a workspace sends with, and the files that it was last seen with, good or bad. */
interface Kept {
  readonly seen: IdentityFiles;
  readonly agent: Agent | undefined;
}

/** The connections of callbacks: a workspace that shows a certificate of its own has its own, all others share theirs. */
export class WorkspaceAgents {
  private readonly kept = new Map<string, Kept>();
  private readonly shared: Agent;

  constructor(private readonly parts: WorkspaceAgentsParts) {
    this.shared = parts.agentFor(undefined);
  }

  agentOf(ws: string): Agent {
    return this.kept.get(ws)?.agent ?? this.shared;
  }

  /** Takes up what has changed in the files. A bad pair changes nothing: the last good one stays. */
  async refresh(): Promise<void> {
    const files = await this.parts.read?.();
    if (!files) return;
    for (const [ws, seen] of files) {
      const { key, cert } = this.kept.get(ws)?.seen ?? {};
      if (key === seen.key && cert === seen.cert) continue;
      this.adopt(ws, seen);
      // Each costs up to a tenth of a second where an operator's authority is trusted as well: others have their turn in between.
      await nextTurn();
    }
    for (const [ws, { agent }] of this.kept) {
      if (files.has(ws)) continue;
      this.kept.delete(ws);
      this.retire(ws, agent, 'A workspace shows no certificate to its receivers any more');
    }
  }

  /** Lets go of all connections at once. */
  async close(): Promise<void> {
    const own = [...this.kept.values()].flatMap(({ agent }) => agent ?? []);
    await Promise.all([this.shared, ...own].map((agent) => agent.destroy()));
  }

  private adopt(ws: string, seen: IdentityFiles): void {
    const before = this.kept.get(ws);
    try {
      this.kept.set(ws, { seen, agent: this.parts.agentFor(wholeOf(seen)) });
      this.retire(ws, before?.agent, 'A workspace shows a new certificate to its receivers');
    } catch (error) {
      // Of the error its code alone: what OpenSSL says may show what it read.
      const { code = 'unknown' } = error as { code?: string };
      this.parts.log.warn(
        { ws, code },
        'The certificate that a workspace shows to its receivers cannot be used; the last good one stays',
      );
      this.kept.set(ws, { seen, agent: before?.agent });
    }
  }

  /** Lets what is under way end on its connection. */
  private retire(ws: string, agent: Agent | undefined, message: string): void {
    this.parts.log.info({ ws }, message);
    void agent?.close();
  }
}

function wholeOf({ key, cert }: IdentityFiles): ClientIdentity {
  if (key === undefined || cert === undefined)
    throw Object.assign(new Error('half a pair'), { code: key === undefined ? 'NO_KEY' : 'NO_CERTIFICATE' });
  return { key, cert };
}
