import { requestKey } from '@opendsr-service/contracts';
import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import type { ErasureDocument } from './erasures.store';

/** What ingestion stores about a request, for operators' tools. */
export async function shownErasure(connection: Connection, ws: string, srid: string) {
  const erasure = await connection.collection<ErasureDocument>('erasures').findOne({ _id: requestKey(ws, srid), ws });
  if (!erasure) return undefined;
  const { matched, passes, tries, reported, completed, dueAt, token } = erasure;
  return {
    erasure: {
      matched,
      passes,
      tries,
      isReported: reported === true,
      isCompleted: completed === true,
      dueAt,
      isClaimed: token !== undefined,
    },
  };
}

/** What the operator's API shows of a request; undefined: this service takes no part in it. */
export async function erasureState(
  connection: Connection,
  ws: string,
  srid: string,
): Promise<RequestState<'ingestion'> | undefined> {
  const facts = await shownErasure(connection, ws, srid);
  if (!facts) return undefined;
  const { matched, passes, tries, isReported, isCompleted, dueAt, isClaimed } = facts.erasure;
  return {
    erasure: {
      matched_profiles: matched ?? null,
      passes,
      is_reported: isReported,
      is_completed: isCompleted,
      is_claimed: isClaimed,
      due_time: timeOf(dueAt),
      tries,
    },
  };
}
