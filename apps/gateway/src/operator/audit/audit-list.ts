import type { Operator } from '@opendsr-service/operator-access';
import type { Vault } from '@opendsr-service/vault';
import type { AdmissionsStore } from '../../admission/admissions.store';
import { openOperatorReason } from '../../admission/sealing';
import type { AuditEntry } from '../../audit/audit-entry';
import type { AuditStore } from '../../audit/audit.store';
import { reachOf } from '../access/reach';
import type { Place } from '../lists/cursor';

/** What the list is asked for. */
interface AuditQuery {
  readonly workspace: string | undefined;
  readonly by: string | undefined;
  readonly action: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly limit: number;
  readonly after: Place | undefined;
}

export interface AuditPage {
  readonly entries: readonly ExplainedEntry[];
  readonly next: Place | undefined;
}

/** `reason` is null where none was given, or the key of the request is destroyed. */
export interface ExplainedEntry {
  readonly entry: AuditEntry;
  readonly reason: string | null;
}

interface AuditListParts {
  readonly audit: Pick<AuditStore, 'next'>;
  readonly requests: Pick<AdmissionsStore, 'findKey'>;
  readonly vault: Pick<Vault, 'key'>;
}

/** A page is returned short, with its `next`, once it has read so many entries that filters refuse. */
export const MOST_AUDITED = 5_000;
const BATCH = 500;

/** The audit trail, the newest first: who asked for what, when and why. */
export class AuditList {
  constructor(private readonly parts: AuditListParts) {}

  /** Throws a 403 for a workspace that the operator does not reach. */
  async page(operator: Operator, query: AuditQuery): Promise<AuditPage> {
    const reached = reachOf(operator, query.workspace, 'audit');
    const { entries, next } = await this.read(reached === 'all' ? undefined : reached, query);
    return { entries: await Promise.all(entries.map((entry) => this.explained(entry))), next };
  }

  private async read(workspaces: readonly string[] | undefined, query: AuditQuery) {
    const { by, action, from, to, limit } = query;
    const entries: AuditEntry[] = [];
    const size = by === undefined && action === undefined ? limit : BATCH;
    let after = query.after;
    for (let read = 0; read < MOST_AUDITED; read += size) {
      const batch = await this.parts.audit.next({ workspaces, from, to, after }, size);
      for (const entry of batch) {
        after = { at: entry.at, id: entry._id };
        if (is(by, entry.by ?? entry.participant) && is(action, entry.action)) entries.push(entry);
        if (entries.length === limit) return { entries, next: after };
      }
      if (batch.length < size) return { entries, next: undefined };
    }
    return { entries, next: after };
  }

  private async explained(entry: AuditEntry): Promise<ExplainedEntry> {
    const { _id: entryId, ws, srid, reason, because = null } = entry;
    if (reason === undefined) return { entry, reason: because };
    const key = await this.parts.requests.findKey(ws, srid);
    const opened = key && (await openOperatorReason(this.parts.vault, key, { entryId, reason }));
    return { entry, reason: opened ?? null };
  }
}

const is = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === value;
