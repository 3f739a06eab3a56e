import type { EventLog } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { findRequest } from '../../admission/requests-collection.store';
import { LARGEST_PAGE } from '../lists/query-reader';
import { recordsAnswer } from './records-answer';
import { type RecordsPlace, searchRecords } from './request-records';

/** All records of a request on the event log, in pages as the operator's API shows them. None: the request is unknown. */
export async function* recordsOf(
  connection: Connection,
  events: Pick<EventLog, 'readKey'>,
  { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
): AsyncGenerator<Pick<ReturnType<typeof recordsAnswer>, 'records' | 'topics'>> {
  const request = await findRequest(connection, ws, srid);
  if (!request) return;
  let after: RecordsPlace | undefined;
  do {
    const page = await searchRecords(events, request, { limit: LARGEST_PAGE, after, from: undefined });
    yield recordsAnswer(page);
    after = page.next;
  } while (after);
}
