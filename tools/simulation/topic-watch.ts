import { checkpoints, isRecordSignedBy, participantReports, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { readCheckpoint, readNote } from '@opendsr-service/transparency';
import type { OutsideParticipants } from './actors/outside-participants';
import { asOwner } from './engine/owner';
import type { History } from './history';
import type { Broker } from './stores/broker';
import type { Reader } from './stores/simulated-log';
import type { ReportKey } from './workspaces';

interface TopicWatchParts {
  readonly history: History;
  readonly participants: OutsideParticipants;
  readonly reportKey: ReportKey;
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
      const report = participantReports.decode(record);
      const { srid, participant, status } = report;
      const key = reportKey(report);
      if (key && isRecordSignedBy(record, key)) history.reports.push({ srid, participant, status, at: history.next() });
    }
  };
}
