import { profileKey, requestKey } from '../vocabulary';
import { messageId } from './cloud-events';
import { codec, type EncodedMessage } from './codec';
import { COMMAND_SCHEMAS, type Command } from './commands';
import { DELIVERY_EVENT_SCHEMAS, type DeliveryEvent } from './delivery-events';
import { BATCH_SCHEMAS, PROFILE_SCHEMAS, type AttributesReceived, type BatchReceived } from './ingest';
import { KEY_TOMBSTONE_SCHEMAS, type KeyDestroyed } from './key-tombstones';
import { PARTICIPANT_REPORT_SCHEMAS, type ParticipantReport } from './participant-report';
import { REQUEST_EVENT_HEAD, REQUEST_EVENT_SCHEMAS, type RequestEvent } from './request-events';

const ofRequest = {
  key: (message: { ws: string; srid: string }) => requestKey(message.ws, message.srid),
  subject: (message: { srid: string }) => message.srid,
};
const ofProfile = {
  key: (message: { ws: string; mpid: string }) => profileKey(message.ws, message.mpid),
  subject: (message: { mpid: string }) => message.mpid,
};

export const commands = codec<Command>('/gateway', COMMAND_SCHEMAS, ofRequest);
/** `dsr.request-events.v1`; an event of a later type decodes to its head and changes nothing. */
export const requestEvents = codec<RequestEvent>('/request', REQUEST_EVENT_SCHEMAS, {
  ...ofRequest,
  head: REQUEST_EVENT_HEAD,
});
export const participantReports = codec<ParticipantReport>('/participant', PARTICIPANT_REPORT_SCHEMAS, ofRequest);
export const ingestProfiles = codec<AttributesReceived>('/ingestion', PROFILE_SCHEMAS, ofProfile);
export const ingestEvents = codec<BatchReceived>('/ingestion', BATCH_SCHEMAS, ofProfile);

export const deliveryEvents = codec<DeliveryEvent>('/callback-dispatcher', DELIVERY_EVENT_SCHEMAS, ofRequest);
export const keyTombstones = codec<KeyDestroyed>('/vault', KEY_TOMBSTONE_SCHEMAS, {
  key: ({ kid }) => kid,
  subject: ({ kid }) => kid,
});

export type ReportedShare = Pick<ParticipantReport, 'status' | 'statusMessage' | 'waivedBy' | 'erased'>;

/** A report about a participant's share (decision 8) with a stable id, before it is signed. */
export const participantReport = (
  participant: string,
  { ws, srid }: { readonly ws: string; readonly srid: string },
  share: ReportedShare,
  at: Date,
): EncodedMessage =>
  participantReports.encode({
    type: 'ParticipantReport',
    id: messageId(ws, srid, 'report', participant, share.status),
    ws,
    srid,
    at: at.toISOString(),
    participant,
    ...share,
  });
