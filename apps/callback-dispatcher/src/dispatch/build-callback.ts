import { resultsLink } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { Lane, PendingCallback } from '../lanes/lane';
import { deliveryId } from '../lanes/lane-events';
import { callbackBody, hasResults } from './callback-body';
import type { BuiltCallback } from './callbacks.client';
import type { NotBuilt } from './outcome';
import type { Processor } from './processor';
import { hostLabel } from './traffic';

/** What a callback is built with. */
export interface Workshop {
  readonly vault: Pick<Vault, 'key'>;
  readonly linkKeys: Pick<LinkKeys, 'token'>;
  readonly processors: readonly Processor[];
}

/** Where the callbacks of a lane go, and in whose name. */
export interface Target {
  readonly url: string;
  /** Label of the host of the URL, for this workspace. */
  readonly host: string;
  readonly processor: Processor;
}

/**
 * Opens the URL of a lane. Or it says why nothing can be built: the key of the URL is destroyed, and nobody can be told any more; or this
 * process does not serve the version of the request, and in another none is built (D9).
 */
export async function openTarget(
  { ws, srid, kid, lane, url, host: known, apiVersion }: Lane,
  { vault, processors }: Workshop,
): Promise<Target | NotBuilt> {
  const key = await vault.key(ws, kid);
  if (!key) return 'key-destroyed';
  const processor = processors.find(({ version }) => version.apiVersion === apiVersion);
  if (!processor) return 'version-not-served';
  const opened = key.open({ ws, subject: srid, field: `callback:${lane}` }, url).toString('utf8');
  return { url: opened, host: known ?? hostLabel(ws, hostOf(opened)), processor };
}

/** Builds one callback: writes the body and signs exactly its bytes, now, so that a signature is never older than the certificate. */
export async function buildCallback(
  lane: Lane,
  callback: PendingCallback,
  { url, processor }: Target,
  linkKeys: Workshop['linkKeys'],
): Promise<BuiltCallback> {
  const { ws, srid } = lane;
  const { version, publicUrl, signer } = processor;
  const resultsUrl = hasResults(lane, callback)
    ? resultsLink(publicUrl, version, await linkKeys.token(ws, srid, new Date(callback.at)))
    : null;
  const body = callbackBody(lane, callback, { url, resultsUrl });
  const headers = {
    'Content-Type': 'application/json',
    [version.domainHeader]: signer.domain,
    [version.signatureHeader]: await signer.sign(body),
    // The same on every try and replay, so that a receiver recognises a repeat.
    'X-Delivery-Id': deliveryId(lane, callback.v),
  };
  return { ws, url, headers, body };
}
