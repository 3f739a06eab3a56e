import { OPEN_STATUSES, type Regulation, type RequestType } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { OPEN_FILTER, requestsCollection } from '../admission/requests-collection.store';

/** The requests of one series. */
export interface AgeingSeries {
  readonly workspaceClass: string;
  readonly countedBy: Regulation;
  readonly type: RequestType;
}

export interface AgeingCounts {
  readonly onTrack: number;
  readonly atRisk: number;
  readonly overdue: number;
}

const NONE: AgeingCounts = { onTrack: 0, atRisk: 0, overdue: 0 };

/** How requests that have not ended stand to their legal dates. Every query reads keys of one index, and no document. */
export class AgeingMeasures {
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.requests = requestsCollection(connection);
  }

  /** The classes of workspaces with requests that have not ended, in order: a look-up for each. */
  async classes(): Promise<readonly string[]> {
    const found: string[] = [];
    for (;;) {
      const next = await this.requests.findOne(
        { ...OPEN_FILTER, workspaceClass: { $gt: found.at(-1) ?? '' } },
        { sort: { workspaceClass: 1 }, projection: { _id: 0, workspaceClass: 1 } },
      );
      if (next?.workspaceClass === undefined) return found;
      found.push(next.workspaceClass);
    }
  }

  /** Each status counts up to `atMost`. */
  async count(series: AgeingSeries, now: Date, atMost: number): Promise<AgeingCounts> {
    const counts = await Array.fromAsync(OPEN_STATUSES, async (status) => {
      const of = { ...series, status };
      const open = await this.countUpTo(of, atMost);
      if (open === 0) return NONE;
      const late = await this.countUpTo({ ...of, atRiskAt: { $lte: now } }, atMost);
      const overdue =
        late === 0 ? 0 : await this.countUpTo({ ...of, atRiskAt: { $lte: now }, dueBy: { $lt: now } }, atMost);
      return { onTrack: open - late, atRisk: late - overdue, overdue };
    });
    return counts.reduce((sum, one) => ({
      onTrack: sum.onTrack + one.onTrack,
      atRisk: sum.atRisk + one.atRisk,
      overdue: sum.overdue + one.overdue,
    }));
  }

  private countUpTo(of: object, limit: number): Promise<number> {
    return this.requests.countDocuments(of, { limit });
  }
}
