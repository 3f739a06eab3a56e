import { createVerifier } from '@opendsr-service/client';
import type { Terminal } from '../command';
import type { Believed } from './believed';
import { CallbackInspector } from './callback-inspector';
import { forward } from './forward.client';
import { listen } from './listener.controller';
import type { Shown } from './shown-certificate';
import { isThisMachine } from './this-machine';

/** Less than the service waits for an answer. */
const FORWARD_TIMEOUT_MS = 8_000;

/** Where callbacks arrive, whom they are believed from, and where they go. */
export interface ListenAddress {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly tls: Shown | undefined;
  readonly whom: Believed;
  /** The one address that callbacks may be meant for; undefined: every path here. */
  readonly url: string | undefined;
  readonly target: URL | undefined;
}

interface OpenListener {
  /** An address of this listener. */
  readonly here: URL;
  readonly counts: CallbackInspector['counts'];
  /** Answers what has come in, and takes nothing more. */
  close(): Promise<void>;
}

/** Opens the inspector: from now on callbacks are taken and shown. Rejects where it cannot listen. */
export async function openListener(
  { host, port, tls, whom, url, target }: ListenAddress,
  { now, print }: Terminal,
): Promise<OpenListener> {
  const show = (lines: readonly string[]): void => ['', ...lines].forEach(print);
  const onTlsFailure = (reason: string): void =>
    show([`A connection ended before TLS was agreed on (${reason}): does the sender trust this certificate?`]);
  // What comes in is taken from the next turn of the event loop on, and by then there is a inspector.
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

/** Whether an address is one of this listener's, whatever its path. */
function isAt(here: URL, meant: string): boolean {
  const url = URL.canParse(meant) ? new URL(meant) : undefined;
  return (
    url !== undefined &&
    url.protocol === here.protocol &&
    url.port === here.port &&
    (isThisMachine(url) || url.hostname === here.hostname)
  );
}
