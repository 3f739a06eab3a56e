import type { KeyObject } from 'node:crypto';
import type { ParticipantReport } from '@opendsr-service/contracts';
import type { Participants } from '@opendsr-service/workspaces';

/** The key that must have signed a report (decision 8). */
export class ReportKeys {
  constructor(
    private readonly participants: Pick<Participants, 'reportKey'>,
    private readonly waiver: KeyObject,
  ) {}

  /** A waiver is signed with the operators' key, so that an unregistered participant can be waived too. */
  async keyOf({
    ws,
    participant,
    waivedBy,
  }: Pick<ParticipantReport, 'ws' | 'participant' | 'waivedBy'>): Promise<KeyObject | undefined> {
    return waivedBy === undefined ? this.participants.reportKey(ws, participant) : this.waiver;
  }
}
