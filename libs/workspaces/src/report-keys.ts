import type { KeyObject } from 'node:crypto';
import { participantReport, PARTICIPANTS, signRecord, type EncodedMessage } from '@opendsr-service/contracts';
import type { MasterSeal } from '@opendsr-service/vault';

const BUILT_IN: readonly string[] = Object.values(PARTICIPANTS);

export const isBuiltIn = (participant: string): boolean => BUILT_IN.includes(participant);

/** The key that signs the reports of one of our own services; it follows from the master key (decision 8). */
export const builtInReportKey = (seal: MasterSeal, participant: string): KeyObject =>
  seal.derive(`report|${participant}`);

/** The key that signs the report by which the operator waives a participant (decision 8). */
export const waiverKey = (seal: MasterSeal): KeyObject => seal.derive('waiver');

/** What ends the wait of a request for one participant. */
export interface Waiver {
  readonly ws: string;
  readonly srid: string;
  readonly participant: string;
  /** A role or a team: the event log keeps it. */
  readonly by: string;
  /** Controllers read it as the status of the participant. */
  readonly message?: string | undefined;
  readonly at: Date;
}

/** The signed report by which the operator waives a participant, for `dsr.participant-reports.v1` (decision 8). */
export const waiverReport = (
  seal: MasterSeal,
  { ws, srid, participant, by, message = 'Waived.', at }: Waiver,
): EncodedMessage =>
  signRecord(
    participantReport(participant, { ws, srid }, { status: 'skipped', statusMessage: message, waivedBy: by }, at),
    waiverKey(seal),
  );
