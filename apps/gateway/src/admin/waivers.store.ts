import { TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { MasterSeal } from '@opendsr-service/vault';
import { waiverReport, type Waiver } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { isStarting } from './request-facts.store';

interface WaiverParts {
  /** The gateway's database. */
  readonly connection: Connection;
  readonly seal: MasterSeal;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** Records who waives, before the waiver is published: every waiver in effect has an entry. */
  readonly note: () => Promise<void>;
}

/** Waives a participant for an operator. `starting`: the event log has not recorded the start of the request yet. */
export async function waiveFor(
  { connection, seal, publisher, note }: WaiverParts,
  waiver: Waiver,
): Promise<'done' | 'starting'> {
  // The request service parks a waiver that it reads before the start.
  if (await isStarting(connection, waiver.ws, waiver.srid)) return 'starting';
  await note();
  await publisher.publish(TOPICS.participantReports.name, [waiverReport(seal, waiver)]);
  return 'done';
}
