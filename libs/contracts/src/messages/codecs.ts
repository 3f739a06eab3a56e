import { profileKey, requestKey } from '../vocabulary';
import { messageId } from './cloud-events';
import { codec, type EncodedMessage } from './codec';
import { COMMAND_SCHEMAS, type Command } from './commands';
import { BATCH_SCHEMAS, PROFILE_SCHEMAS, type AttributesReceived, type BatchReceived } from './ingest';
import { PARTICIPANT_REPORT_SCHEMAS, type ParticipantReport } from './participant-report';
import { REQUEST_EVENT_SCHEMAS, type RequestEvent } from './request-events';

const ofRequest = {
  key: (message: { ws: string; srid: string }) => requestKey(message.ws, message.srid),
  subject: (message: { srid: string }) => message.srid,
};
const ofProfile = {
  key: (message: { ws: string; mpid: string }) => profileKey(message.ws, message.mpid),
  subject: (message: { mpid: string }) => message.mpid,
};

/** `dsr.commands.v1` */
export const commands = codec<Command>('/gateway', COMMAND_SCHEMAS, ofRequest);
/** `dsr.request-events.v1` */
export const requestEvents = codec<RequestEvent>('/request', REQUEST_EVENT_SCHEMAS, ofRequest);
/** `dsr.participant-reports.v1` */
export const participantReports = codec<ParticipantReport>('/participant', PARTICIPANT_REPORT_SCHEMAS, ofRequest);
/** `ingest.profiles.v1` */
export const ingestProfiles = codec<AttributesReceived>('/ingestion', PROFILE_SCHEMAS, ofProfile);
/** `ingest.events.v1` */
export const ingestEvents = codec<BatchReceived>('/ingestion', BATCH_SCHEMAS, ofProfile);

/** The report that a participant's share of a request is done (D8), the same however often it is built. */
export const completedReport = (participant: string, { ws, srid }: { readonly ws: string; readonly srid: string }, at: Date): EncodedMessage =>
  participantReports.encode({
    type: 'ParticipantReport',
    id: messageId(ws, srid, 'report', participant, 'completed'),
    ws,
    srid,
    at: at.toISOString(),
    participant,
    status: 'completed',
  });
