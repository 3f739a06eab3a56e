import { insertOrRead, type MasterSeal } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';

interface SealCheck {
  readonly _id: string;
  readonly sealed: string;
}

const ID = 'master-key-check';

/** Throws a VaultError `master-key-wrong`. A process with the wrong file would otherwise refuse every authentic report as forged. */
export async function checkSeal(connection: Connection, seal: MasterSeal): Promise<void> {
  const checks = connection.collection<SealCheck>('sealChecks');
  const fresh = { _id: ID, sealed: seal.seal(ID, '') };
  const kept = await insertOrRead<SealCheck>(
    fresh,
    () => checks.findOne({ _id: ID }),
    (document) => checks.insertOne(document),
  );
  seal.open(ID, kept.sealed);
}
