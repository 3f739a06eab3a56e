import type { Publisher } from '@opendsr-service/messaging';
import type { MasterSeal } from '@opendsr-service/vault';
import type { Waiver } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { findRequest } from '../admission/requests-collection.store';
import { waive, type Waived } from './waive';

interface WaiverParts {
  /** The gateway's database. */
  readonly connection: Connection;
  readonly seal: MasterSeal;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly note: () => Promise<void>;
}

/** Waives a participant for an operator with the command line. */
export async function waiveFor({ connection, seal, publisher, note }: WaiverParts, waiver: Waiver): Promise<Waived> {
  const request = await findRequest(connection, waiver.ws, waiver.srid);
  return waive({ seal, note, publish: (topic, message) => publisher.publish(topic, [message]) }, request, waiver);
}
