import { notFound } from '@opendsr-service/edge';
import { SERVICE_NAMES } from '@opendsr-service/operator-answers';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { LedgerStore } from '../../callbacks/ledger.store';
import type { AttestationsStore } from '../../evidence/attestations.store';
import type { AuditStore } from '../../audit/audit.store';
import type { Place } from '../lists/cursor';
import { pageOf } from '../lists/page-of';
import type { WantedPage } from '../lists/query-reader';
import { LARGEST_PAGE } from '../lists/query-reader';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';
import type { HistoryEntry } from './history-entry';
import {
  historyOfAdmission,
  historyOfAttestation,
  historyOfAudit,
  historyOfCallback,
  historyOfParked,
} from './history-of';
import { inOrder, isBehind, type PlacedEntry } from './history-order';

interface RequestHistoryParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly ledger: Pick<LedgerStore, 'listByRequest'>;
  readonly attestations: Pick<AttestationsStore, 'findAll'>;
  readonly audit: Pick<AuditStore, 'ofOperators' | 'ofParticipants'>;
  readonly upstreams: Pick<OperatorUpstreams, 'ask'>;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  readonly next: Place | undefined;
  /** Services that did not answer in time: their parked records are missing. */
  readonly unavailable: readonly string[];
}

const STATEMENTS = [1, 2] as const;
/** Of entries of the audit trail, which a participant adds with each call for the identities. */
export const MOST_OF_PARTICIPANTS = 200;

/** All that is known to have happened to a request, without personal data. */
export class RequestHistory {
  constructor(private readonly parts: RequestHistoryParts) {}

  /** Reads everything for each page: callbacks, their attempts, and the read entries of the audit trail are bounded. Throws a 404. */
  async page(ws: string, srid: string, { after, limit }: WantedPage<Place>): Promise<HistoryPage> {
    const { all, unavailable } = await this.read(ws, srid);
    const rest = all.filter((one) => !after || isBehind(one, after));
    const { items, last } = pageOf(rest, limit);
    return { entries: items, next: last && { at: last.placedAt, id: last.id }, unavailable };
  }

  private async read(
    ws: string,
    srid: string,
  ): Promise<{ readonly all: readonly PlacedEntry[]; readonly unavailable: readonly string[] }> {
    const { requests, ledger, attestations, audit } = this.parts;
    const request = await requests.find(ws, srid);
    if (!request) throw notFound();
    const [callbacks, attested, operators, participants, parked] = await Promise.all([
      ledger.listByRequest(ws, srid),
      attestations.findAll(STATEMENTS.map((statement) => ({ ws, srid, statement }))),
      audit.ofOperators(ws, srid),
      audit.ofParticipants(ws, srid, MOST_OF_PARTICIPANTS),
      this.parked(ws, srid),
    ]);
    const all = inOrder([
      ...historyOfAdmission(request),
      ...callbacks.flatMap(historyOfCallback),
      ...attested.map(historyOfAttestation),
      ...[...operators, ...participants].map(historyOfAudit),
      ...parked.flatMap(({ records }) => records.map(historyOfParked)),
    ]);
    return { all, unavailable: parked.filter(({ isAway }) => isAway).map(({ service }) => service) };
  }

  /** What each service has set aside of it. */
  private parked(ws: string, srid: string) {
    return Promise.all(
      SERVICE_NAMES.map(async (service) => {
        const question = { service, workspaces: [ws], srid, limit: LARGEST_PAGE };
        const asked = await this.parts.upstreams.ask(service, (answers) => answers.parked(question));
        return { service, records: asked?.answer.parked ?? [], isAway: asked === undefined };
      }),
    );
  }
}
