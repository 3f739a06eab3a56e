import type { KeyObject } from 'node:crypto';
import { checkpoints, isReportSignedBy, participantReports, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { readCheckpoint, readNote } from '@opendsr-service/transparency';
import type { OutsideParticipants } from './actors/outside-participants';
import { asOwner } from './engine/owner';
import type { History } from './history';
import type { Broker } from './stores/broker';
import type { Reader } from './stores/simulated-log';

interface TopicWatchParts {
  readonly history: History;
  readonly participants: OutsideParticipants;
  readonly reportKey: (ws: string, participant: string) => KeyObject | undefined;
}

/** Notes the records of the public topics and passes events to outside participants. */
export function watchTopics(broker: Broker<Reader>, { history, participants, reportKey }: TopicWatchParts): void {
  broker.heard = (record) => {
    if (record.topic === TOPICS.requestEvents.name) {
      history.events.push({ record, at: history.next() });
      asOwner(undefined, () => participants.hear(requestEvents.decode(record)));
    }
    if (record.topic === TOPICS.checkpoints.name) {
      const head = readCheckpoint(readNote(checkpoints.decode(record).note)?.text ?? '');
      if (head) history.checkpoints.push(head);
    }
    if (record.topic === TOPICS.participantReports.name) {
      const { ws, srid, participant, status } = participantReports.decode(record);
      const key = reportKey(ws, participant);
      if (key && isReportSignedBy(record, key)) history.reports.push({ srid, participant, status, at: history.next() });
    }
  };
}
