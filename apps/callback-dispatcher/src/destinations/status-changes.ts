import {
  ENDED_STATUSES,
  requestKey,
  type DestinationSettled,
  type RequestEvent,
  type RequestReceived,
  type RequestStatus,
} from '@opendsr-service/contracts';
import type { Destination, PastCallback, PendingCallback, StatusChange } from './destination';

/** The status that an event brings; an event without one causes no callback. */
const STATUS: Record<RequestEvent['type'], RequestStatus | undefined> = {
  RequestReceived: 'pending',
  RequestCancelled: 'cancelled',
  RequestStarted: 'in_progress',
  ParticipantReported: undefined,
  DeadlineExtended: undefined,
  RequestFulfilled: undefined,
  RequestCompleted: 'completed',
};

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

export function destinationsOf(event: RequestReceived): Destination[] {
  const { ws, srid, version: v, at, request } = event;
  const { controllerId, apiVersion, type, expectedAt, kid, sentId } = request;
  return request.callbacks.map(({ destination, url, host }) => {
    const _id = `${requestKey(ws, srid)}|${destination}`;
    return {
      _id,
      ws,
      srid,
      destination,
      destinationCount: request.callbacks.length,
      v,
      pending: [{ v, status: 'pending', at }],
      controllerId,
      apiVersion,
      type,
      expectedAt,
      kid,
      url,
      ...(host !== undefined && { host }),
      ...(sentId !== undefined && { sentId }),
    };
  });
}

/** What an event that extends the legal date changes in a destination. */
export const extensionOf = (event: RequestEvent): Pick<Destination, 'extended'> =>
  event.type === 'DeadlineExtended' ? { extended: { v: event.version, until: event.extendedUntil } } : {};

export const changeOf = ({ v, status, at, extensions }: StatusChange): StatusChange => ({
  v,
  status,
  at,
  ...(extensions && { extensions }),
});

/** A destination ends with the callback of a final status; replays do not count. */
const isFinal = ({ status, replay }: PendingCallback): boolean =>
  replay === undefined && ENDED_STATUSES.includes(status);

/** How a callback ends, live and in replay. */
export const endOf = (
  callback: PendingCallback,
  as: DestinationSettled['outcome'],
  endedAt: Date,
): { readonly past?: PastCallback; readonly outcome?: DestinationSettled['outcome'] } =>
  callback.replay !== undefined
    ? {}
    : {
        past: { ...changeOf(callback), ...(as !== 'delivered' && { reason: as }), endedAt },
        ...(isFinal(callback) && { outcome: as }),
      };
