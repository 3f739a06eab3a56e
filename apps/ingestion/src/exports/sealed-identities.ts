import { identitiesSeal, type Identity } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';

/** The identities of a request, as the gateway sealed them. */
export interface SealedIdentities {
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
}

/** The key of a request outlives its work (decision 4), so an operator must check this error. */
export class RequestKeyGone extends Error {
  override readonly name = 'RequestKeyGone';
}

export async function openIdentities(
  vault: Vault,
  { ws, srid, kid, identities }: SealedIdentities,
): Promise<Identity[]> {
  const key = await vault.key(ws, kid);
  if (!key) throw new RequestKeyGone('the key of a request was destroyed before its work is done');
  return JSON.parse(key.open(identitiesSeal({ ws, srid }), identities).toString('utf8')) as Identity[];
}
