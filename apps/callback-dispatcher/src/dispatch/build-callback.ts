import { messageId, resultsLink } from '@opendsr-service/contracts';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { Lane, PendingCallback } from '../lanes/lane';
import { callbackBody, hasResults } from './callback-body';
import type { BuiltCallback } from './callbacks.client';
import type { NotBuilt } from './outcome';
import type { Processor } from './processor';

/** What a callback is built with. */
export interface Workshop {
  readonly vault: Pick<Vault, 'key'>;
  readonly linkKeys: Pick<LinkKeys, 'token'>;
  readonly processors: readonly Processor[];
}

/**
 * Builds one callback: opens the URL, writes the body and signs exactly its bytes, now, so that a signature is never older
 * than the certificate. Everything of it is in the version of its request (D9), or it is not built at all. Or it says why there
 * is none: the key of the URL is destroyed, and nobody can be told any more; or this process does not serve that version.
 */
export async function buildCallback(lane: Lane, callback: PendingCallback, { vault, linkKeys, processors }: Workshop): Promise<BuiltCallback | NotBuilt> {
  const { ws, srid } = lane;
  const key = await vault.key(ws, lane.kid);
  if (!key) return 'key-destroyed';
  const processor = processors.find(({ version }) => version.apiVersion === lane.apiVersion);
  if (!processor) return 'version-not-served';
  const url = key.open({ ws, subject: srid, field: `callback:${lane.lane}` }, lane.url).toString('utf8');
  const { version, publicUrl, signer } = processor;
  const resultsUrl = hasResults(lane, callback) ? resultsLink(publicUrl, version, await linkKeys.token(ws, srid, new Date(callback.at))) : null;
  const body = callbackBody(lane, callback, { url, resultsUrl });
  const headers = {
    'Content-Type': 'application/json',
    [version.domainHeader]: signer.domain,
    [version.signatureHeader]: await signer.sign(body),
    // The same on every try, so that a receiver recognises a repeat after a crash of ours or a lost answer of its own.
    'X-Delivery-Id': messageId(lane._id, callback.v),
  };
  return { ws, url, headers, body };
}
