import { leafId } from '@opendsr-service/contracts';
import { notFound } from '@opendsr-service/edge';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { RequestDocument } from '../../admission/request.document';
import { ACTIONS_WITH_LEAF, auditedLeafId, hasLeaf } from '../../evidence/audited-leaves';
import { attestationLeafId } from '../../evidence/attestation.document';
import type { LeavesStore } from '../../evidence/leaves.store';
import type { PublicEntry } from '../../evidence/public-entry';
import type { PublishedLog } from '../../evidence/published-log';
import type { AuditStore } from '../../audit/audit.store';
import { pageOf, type PageOf } from '../lists/page-of';
import type { WantedPage } from '../lists/query-reader';

/** Names the list in its cursors. */
export const LOG_ENTRIES = 'log-entries';

/** A place in the log. */
export const logPlace = ([index = '']: readonly string[]): number | undefined =>
  /^\d{1,15}$/.test(index) ? Number(index) : undefined;

interface LogEntriesParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly leaves: Pick<LeavesStore, 'findAll'>;
  readonly published: Pick<PublishedLog, 'size'>;
  readonly audit: Pick<AuditStore, 'ofOperators'>;
}

export interface LoggedEntry {
  readonly index: number;
  readonly entry: PublicEntry;
  /** Whether the newest checkpoint covers it. */
  readonly isCovered: boolean;
}

/** The leaves of the transparency log that belong to a request. The log names no request: only the installation knows them. */
export class LogEntries {
  constructor(private readonly parts: LogEntriesParts) {}

  /** In the order of the log. Throws a 404. */
  async page(ws: string, srid: string, { limit, after = -1 }: WantedPage<number>): Promise<PageOf<LoggedEntry>> {
    const { requests, audit, leaves, published } = this.parts;
    const request = await requests.find(ws, srid);
    if (!request) throw notFound();
    const entries = await audit.ofOperators(ws, srid, ACTIONS_WITH_LEAF);
    const audited = entries.flatMap(({ _id, action }) => (hasLeaf(action) ? auditedLeafId(_id, { ws, action }) : []));
    const found = await leaves.findAll([...leavesOfEvents(request), ...audited]);
    const size = await published.size();
    const rest = found.filter(({ index }) => index > after).sort((a, b) => a.index - b.index);
    return pageOf(
      rest.map(({ index, entry }) => ({ index, entry: JSON.parse(entry) as PublicEntry, isCovered: index < size })),
      limit,
    );
  }
}

/** Those that there may be: which event was an extension or a waiver, the admission does not say. */
function leavesOfEvents({ ws, srid, v }: RequestDocument): readonly string[] {
  const versions = Array.from({ length: v }, (_, n) => n + 1);
  return [
    leafId({ ws, kind: 'receipt', of: [srid] }),
    ...versions.flatMap((version) =>
      (['extension', 'waiver'] as const).map((kind) => leafId({ ws, kind, of: [srid, version] })),
    ),
    ...[1, 2].map((statement) => attestationLeafId({ ws, srid, statement })),
  ];
}
