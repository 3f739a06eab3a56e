import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientIdentity } from '@opendsr-service/config';
import type { Logger } from '@opendsr-service/service';
import type { Agent } from 'undici';
import type { IdentityFiles } from './client-identities.store';

interface WorkspaceAgentsParts {
  readonly agentFor: (identity: ClientIdentity | undefined) => Agent;
  readonly read: (() => Promise<ReadonlyMap<string, IdentityFiles>>) | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

interface Kept {
  readonly seen: IdentityFiles;
  readonly agent: Agent | undefined;
}

/** Connection pools: one for each workspace with a client certificate, one for all others. */
export class WorkspaceAgents {
  private readonly kept = new Map<string, Kept>();
  private readonly shared: Agent;

  constructor(private readonly parts: WorkspaceAgentsParts) {
    this.shared = parts.agentFor(undefined);
  }

  agentOf(ws: string): Agent {
    return this.kept.get(ws)?.agent ?? this.shared;
  }

  /** An unusable pair is ignored, and the last good one stays. */
  async refresh(): Promise<void> {
    const files = await this.parts.read?.();
    if (!files) return;
    for (const [ws, seen] of files) {
      const { key, cert } = this.kept.get(ws)?.seen ?? {};
      if (key === seen.key && cert === seen.cert) continue;
      this.adopt(ws, seen);
      // Creating an agent may take 100 ms: other work runs in between.
      await nextTurn();
    }
    for (const [ws, { agent }] of this.kept) {
      if (files.has(ws)) continue;
      this.kept.delete(ws);
      this.retire(ws, agent, 'A workspace shows no certificate to its receivers any more');
    }
  }

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
      // The code only: an OpenSSL message may contain key material.
      const { code = 'unknown' } = error as { code?: string };
      this.parts.log.warn(
        { ws, code },
        'The certificate that a workspace shows to its receivers cannot be used; the last good one stays',
      );
      this.kept.set(ws, { seen, agent: before?.agent });
    }
  }

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
