import { callbackUrlSeal, resultsLink } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { Destination, PendingCallback } from '../destinations/destination';
import { deliveryId } from '../destinations/destination-events';
import { callbackBody, hasResults } from './callback-body';
import type { SignedCallback } from './callbacks.client';
import type { NotBuilt } from './outcome';
import type { SigningProcessor } from './processor';

export interface BuildDependencies {
  readonly vault: Pick<Vault, 'key' | 'index'>;
  readonly linkKeys: Pick<LinkKeys, 'tokenFor'>;
  readonly processors: readonly SigningProcessor[];
}

export interface Target {
  readonly url: string;
  readonly host: string;
  readonly processor: SigningProcessor;
}

/** Opens the sealed URL. `key-destroyed` and `version-not-served` (decision 9): no callback can be built. */
export async function openTarget(
  { ws, srid, kid, destination, url, host: known, apiVersion }: Destination,
  { vault, processors }: BuildDependencies,
): Promise<Target | NotBuilt> {
  const key = await vault.key(ws, kid);
  if (!key) return 'key-destroyed';
  const processor = processors.find(({ version }) => version.apiVersion === apiVersion);
  if (!processor) return 'version-not-served';
  const opened = key.open(callbackUrlSeal({ ws, srid }, destination), url).toString('utf8');
  return { url: opened, host: known ?? (await hostLabel(vault, ws, opened)), processor };
}

/** As the gateway makes it, where the admission has none: keyed, so that nobody who guesses a host can prove it. */
const hostLabel = async (vault: Pick<Vault, 'index'>, ws: string, url: string): Promise<string> =>
  (await vault.index(ws)).hash('callback-host', hostOf(url));

/** Signs exactly the bytes of the body, immediately before they are sent. */
export async function buildCallback(
  destination: Destination,
  callback: PendingCallback,
  { url, processor }: Target,
  linkKeys: BuildDependencies['linkKeys'],
): Promise<SignedCallback> {
  const { ws, srid } = destination;
  const { version, publicUrl, signer } = processor;
  const resultsUrl = hasResults(destination, callback)
    ? resultsLink(publicUrl, version, linkKeys.tokenFor(ws, srid))
    : null;
  const body = callbackBody(destination, callback, { url, resultsUrl });
  const headers = {
    'Content-Type': 'application/json',
    [version.domainHeader]: signer.domain,
    [version.signatureHeader]: await signer.sign(body),
    'X-Delivery-Id': deliveryId(destination, callback.v),
  };
  return { ws, url, headers, body };
}
