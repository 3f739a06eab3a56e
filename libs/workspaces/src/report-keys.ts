import type { KeyObject } from 'node:crypto';
import { PARTICIPANTS } from '@opendsr-service/contracts';
import type { MasterSeal } from '@opendsr-service/vault';

const BUILT_IN: readonly string[] = Object.values(PARTICIPANTS);

export const isBuiltIn = (participant: string): boolean => BUILT_IN.includes(participant);

/** The key that signs the reports of one of our own services; it follows from the master key (decision 8). */
export const builtInReportKey = (seal: MasterSeal, participant: string): KeyObject =>
  seal.derive(`report|${participant}`);

/** The key that signs the report by which the operator waives a participant (decision 8). */
export const waiverKey = (seal: MasterSeal): KeyObject => seal.derive('waiver');
