import type { KeyObject } from 'node:crypto';
import { PARTICIPANTS } from '@opendsr-service/contracts';
import type { MasterSeal } from '@opendsr-service/vault';

const BUILT_IN: readonly string[] = Object.values(PARTICIPANTS);

/** Whether this is the name of a service of our own, which no outside participant may bear. */
export const isBuiltIn = (participant: string): boolean => BUILT_IN.includes(participant);

/** What a service of our own signs its reports with: derived from the master key, so that it is kept nowhere (decision 8). */
export const builtInReportKey = (seal: MasterSeal, participant: string): KeyObject =>
  seal.derive(`report|${participant}`);

/** What reports are signed with by which an operator waives a participant's share (decision 8). */
export const waiverKey = (seal: MasterSeal): KeyObject => seal.derive('waiver');
