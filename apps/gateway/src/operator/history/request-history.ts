import { requestKey, TOPICS } from '@opendsr-service/contracts';
import { notFound } from '@opendsr-service/edge';
import type { ParkedAdmin } from '@opendsr-service/messaging';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { LedgerStore } from '../../callbacks/ledger.store';
import type { AttestationsStore } from '../../evidence/attestations.store';
import type { OperatorAuditStore } from '../../participants/operator-audit.store';
import type { Place } from '../lists/cursor';
import type { HistoryEntry } from './history-entry';
import {
  historyOfAdmission,
  historyOfAttestation,
  historyOfAudit,
  historyOfCallback,
  historyOfParked,
  inOrder,
} from './history-of';

export interface RequestHistoryParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly ledger: Pick<LedgerStore, 'listByRequest'>;
  readonly attestations: Pick<AttestationsStore, 'findAll'>;
  readonly audit: Pick<OperatorAuditStore, 'allOfRequest'>;
  readonly parked: Pick<ParkedAdmin, 'findByKey'>;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  readonly next: Place | undefined;
}

interface PageQuery {
  readonly after: Place | undefined;
  readonly limit: number;
}

const STATEMENTS = [1, 2] as const;
const GROUPS = ['gateway'];
const PARKED_TOPICS = [TOPICS.requestEvents.name, TOPICS.deliveryEvents.name];

/** All that the gateway knows to have happened to a request, without personal data. */
export class RequestHistory {
  constructor(private readonly parts: RequestHistoryParts) {}

  /** Reads everything for each page: a request has a bounded number of callbacks, and each keeps its last attempts. Throws a 404. */
  async page(ws: string, srid: string, { after, limit }: PageQuery): Promise<HistoryPage> {
    const rest = (await this.read(ws, srid)).filter((one) => !after || isBehind(one, after));
    const entries = rest.slice(0, limit);
    const last = entries.at(-1);
    return { entries, next: rest.length > limit ? last : undefined };
  }

  private async read(ws: string, srid: string): Promise<readonly HistoryEntry[]> {
    const { requests, ledger, attestations, audit, parked } = this.parts;
    const request = await requests.find(ws, srid);
    if (!request) throw notFound();
    const [callbacks, attested, audited, waiting] = await Promise.all([
      ledger.listByRequest(ws, srid),
      attestations.findAll(STATEMENTS.map((statement) => ({ ws, srid, statement }))),
      audit.allOfRequest(ws, srid),
      parked.findByKey(GROUPS, PARKED_TOPICS, requestKey(ws, srid)),
    ]);
    return inOrder([
      ...historyOfAdmission(request),
      ...callbacks.flatMap(historyOfCallback),
      ...attested.map(historyOfAttestation),
      ...audited.map(historyOfAudit),
      ...waiting.map(historyOfParked),
    ]);
  }
}

const isBehind = ({ at, id }: HistoryEntry, after: Place): boolean =>
  at > after.at || (at.getTime() === after.at.getTime() && id > after.id);
