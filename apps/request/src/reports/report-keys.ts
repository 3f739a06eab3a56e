import type { KeyObject } from 'node:crypto';
import type { ParticipantReport } from '@opendsr-service/contracts';
import type { Participants } from '@opendsr-service/workspaces';

/** By which key a report must be signed (D8). */
export class ReportKeys {
  constructor(
    private readonly participants: Pick<Participants, 'reportKey'>,
    private readonly waiver: KeyObject,
  ) {}

  /**
   * The participant's own, or for a waiver the operators', so that a participant which lost its secret or was removed can be
   * waived as well. Undefined: nobody of this name is registered.
   */
  async keyOf({ ws, participant, waivedBy }: Pick<ParticipantReport, 'ws' | 'participant' | 'waivedBy'>): Promise<KeyObject | undefined> {
    return waivedBy === undefined ? this.participants.reportKey(ws, participant) : this.waiver;
  }
}
