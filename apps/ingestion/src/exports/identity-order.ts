import type { Identity } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';

/** Whom a request is about: its identities as the gateway sealed them. */
export interface IdentityOrder {
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
}

/** The key of a request outlives the work on it (decision 4), so something went wrong that a person must look at. */
export class RequestKeyGone extends Error {
  override readonly name = 'RequestKeyGone';
}

/** Opens the seal. Throws RequestKeyGone. */
export async function openIdentities(vault: Vault, { ws, srid, kid, identities }: IdentityOrder): Promise<Identity[]> {
  const key = await vault.key(ws, kid);
  if (!key) throw new RequestKeyGone('the key of a request is gone before its work is done');
  return JSON.parse(key.open({ ws, subject: srid, field: 'identities' }, identities).toString('utf8')) as Identity[];
}
