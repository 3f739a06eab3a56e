import type { Connection } from 'mongoose';
import { MAX_KEYS } from './credentials';
import { activeKeysOf } from './key-state';
import { SANDBOX_CLASS } from './workspace-class';
import { collectionsOf } from './workspace-documents';

const SANDBOX = 'sandbox';

/**
 * The keys in force of the workspace that a sandbox made for itself: production admits them as well. None where it got another
 * class. Needs no more than the right to read.
 */
export async function sandboxKeysInForce(connection: Connection, now: Date): Promise<readonly string[]> {
  const { workspaces, credentials } = collectionsOf(connection);
  if (!(await workspaces.findOne({ _id: SANDBOX, class: SANDBOX_CLASS }))) return [];
  const keys = await credentials.find(activeKeysOf(SANDBOX, now), { limit: MAX_KEYS }).toArray();
  return keys.map(({ _id }) => _id);
}
