import { messageId, participantReports, type EncodedMessage } from '@opendsr-service/contracts';

/** The name under which results takes part in requests (D8). */
export const PARTICIPANT = 'results';

/** The report that the share of results in a request is done, the same however often it is built. */
export const completedReport = (ws: string, srid: string, at: Date): EncodedMessage =>
  participantReports.encode({
    type: 'ParticipantReport',
    id: messageId(ws, srid, 'report', PARTICIPANT, 'completed'),
    ws,
    srid,
    at: at.toISOString(),
    participant: PARTICIPANT,
    status: 'completed',
  });
