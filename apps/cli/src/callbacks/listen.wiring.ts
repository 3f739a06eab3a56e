import { createVerifier } from '@opendsr-service/client';
import type { Terminal } from '../command';
import type { Believed } from './believed';
import { CallbackInspector } from './callback-inspector';
import { forward } from './forward.client';
import { listen } from './listener.controller';
import type { Shown } from './shown-certificate';
import { isThisMachine } from './this-machine';

/** Less than the time that the service waits for an answer. */
const FORWARD_TIMEOUT_MS = 8_000;

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly tls: Shown | undefined;
  readonly whom: Believed;
  /** The only accepted callback URL; undefined: every path of this listener. */
  readonly url: string | undefined;
  readonly target: URL | undefined;
}

interface OpenListener {
  readonly here: URL;
  readonly counts: CallbackInspector['counts'];
  /** Answers open requests and accepts no more. */
  close(): Promise<void>;
}

/** Starts to receive and show callbacks. Rejects if it cannot listen. */
export async function openListener(
  { host, port, tls, whom, url, target }: ListenAddress,
  { now, print }: Terminal,
): Promise<OpenListener> {
  const show = (lines: readonly string[]): void => ['', ...lines].forEach(print);
  const onTlsFailure = (reason: string): void =>
    show([`A connection ended during the TLS handshake (${reason}): does the sender trust this certificate?`]);
  // Requests arrive in a later turn of the event loop, when `inspector` exists.
  const listener = await listen({ host, port, tls, onTlsFailure, handle: (incoming) => inspector.handle(incoming) });
  const here = new URL(
    '/callbacks',
    `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`,
  );
  const callbackUrls = url === undefined ? (meant: string) => isAt(here, meant) : [url];
  const inspector = new CallbackInspector({
    verifier: createVerifier({
      allowedDomains: whom.allowedDomains,
      callbackUrls,
      now,
      ...(whom.trust !== undefined && { trust: whom.trust }),
    }),
    forward: target && { to: target.href, post: (arrived) => forward(target, arrived, FORWARD_TIMEOUT_MS) },
    now,
    show,
  });
  return { here, counts: inspector.counts, close: () => listener.close() };
}

/** Whether an address is one of this listener's, with any path. */
function isAt(here: URL, meant: string): boolean {
  const url = URL.canParse(meant) ? new URL(meant) : undefined;
  return (
    url !== undefined &&
    url.protocol === here.protocol &&
    url.port === here.port &&
    (isThisMachine(url) || url.hostname === here.hostname)
  );
}
