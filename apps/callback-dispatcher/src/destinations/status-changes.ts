import { requestKey, type RequestEvent, type RequestReceived, type RequestStatus } from '@opendsr-service/contracts';
import type { Destination, PendingCallback, StatusChange } from './destination';

/** The status that an event brings, and so a callback; the others only count as seen. */
const STATUS: Record<RequestEvent['type'], RequestStatus | undefined> = {
  RequestReceived: 'pending',
  RequestCancelled: 'cancelled',
  RequestStarted: 'in_progress',
  ParticipantReported: undefined,
  RequestFulfilled: undefined,
  RequestCompleted: 'completed',
};

const FINAL: readonly RequestStatus[] = ['completed', 'cancelled'];

/** What an event has told to each URL of its request; undefined: nothing. */
export function statusChangeOf(event: RequestEvent): StatusChange | undefined {
  const status = STATUS[event.type];
  return (
    status && {
      v: event.version,
      status,
      at: event.at,
      ...('extensions' in event && event.extensions && { extensions: event.extensions }),
    }
  );
}

/** One destination for each URL, with what later callbacks need and the first of them. */
export function destinationsOf(event: RequestReceived): Destination[] {
  const { ws, srid, version: v, at, request } = event;
  const { controllerId, apiVersion, type, expectedAt, kid, sentId } = request;
  return request.callbacks.map(({ destination, url, host }) => {
    const _id = `${requestKey(ws, srid)}|${destination}`;
    return {
      _id,
      ...{ ws, srid, destination, v, pending: [{ v, status: 'pending', at }] },
      ...{
        controllerId,
        apiVersion,
        type,
        expectedAt,
        kid,
        url,
        ...(host !== undefined && { host }),
        ...(sentId !== undefined && { sentId }),
      },
    };
  });
}

/** A status change without whatever else is kept of its callback. */
export const changeOf = ({ v, status, at, extensions }: StatusChange): StatusChange => ({
  v,
  status,
  at,
  ...(extensions && { extensions }),
});

/** After the callback of a final status there is none. A replay settles nothing. */
export const isFinal = ({ status, replay }: PendingCallback): boolean => replay === undefined && FINAL.includes(status);
