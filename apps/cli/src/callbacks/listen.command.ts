import { createVerifier } from '@opendsr-service/client';
import { command, EXIT, type Terminal } from '../command';
import { address, optional, wholeNumber } from '../options';
import { believed, believedOptions, callbackUrl, type Believed } from './believed';
import { Desk } from './desk';
import { forward } from './forward.client';
import { listen } from './listener';
import { shownCertificate, shownOptions } from './shown-certificate';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8443;
/** Less than any sender waits. */
const FORWARD_TIMEOUT_MS = 8_000;

/** `dsr listen`: a receiver on the desk (docs/receiving-callbacks.md). */
export const listenCommand = command({
  words: 'listen',
  meaning:
    'receives callbacks, shows each with the verdict of every check, answers 202 or 401, and hands what is verified on to --forward-to, until Ctrl-C. Without options it believes the sandbox of npm start and shows its ' +
    'certificate. URL of --url is the one address that callbacks may be meant for, where it is not this one; --plain leaves TLS to somebody in front',
  options: {
    ...{ port: optional('N', wholeNumber(0, 65_535)), host: optional('H', String), 'forward-to': optional('URL', address) },
    ...believedOptions,
    ...shownOptions,
    ...{ url: optional('URL', callbackUrl) },
  },
  run: async (given, terminal) => {
    const whom = await believed(given, terminal);
    const tls = await shownCertificate(given, whom.sandbox);
    const { host = DEFAULT_HOST, port = DEFAULT_PORT, url, 'forward-to': target } = given;
    // What comes in is taken from the next turn of the event loop on, and by then there is a desk.
    const listener = await listen({ host, port, tls, take: (incoming) => desk.take(incoming), onTlsFailure: (reason) => tellOfTls(reason, terminal) });
    const here = new URL('/callbacks', `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`);
    const desk = deskOf({ here, url, target, whom }, terminal);
    greet({ here, url, target, whom }, terminal);
    await terminal.untilStopped();
    await listener.close();
    terminal.print('');
    terminal.print(`stopped after ${desk.counts.verified} verified callbacks and ${desk.counts.refused} refused requests`);
    return EXIT.ok;
  },
});

/** Where callbacks arrive, whom they are believed from, and where they go. */
interface Place {
  readonly here: URL;
  /** The one address that they may be meant for; undefined: every path here. */
  readonly url: string | undefined;
  readonly target: URL | undefined;
  readonly whom: Believed;
}

function deskOf({ here, url, target, whom: { allowedDomains, trust } }: Place, { now, print }: Terminal): Desk {
  const callbackUrls = url === undefined ? (meant: string) => isAt(here, meant) : [url];
  return new Desk({
    verifier: createVerifier({ allowedDomains, callbackUrls, now, ...(trust !== undefined && { trust }) }),
    now,
    forward: target && { to: target.href, post: (arrived) => forward(target, arrived, FORWARD_TIMEOUT_MS) },
    show: (lines) => { ['', ...lines].forEach(print); },
  });
}

/** Whether an address is one of this listener's, whatever its path. */
function isAt(here: URL, meant: string): boolean {
  const url = URL.canParse(meant) ? new URL(meant) : undefined;
  return url !== undefined && url.protocol === here.protocol && url.port === here.port && ['127.0.0.1', 'localhost', '[::1]', here.hostname].includes(url.hostname);
}

function greet({ here, url, target, whom }: Place, { print }: Terminal): void {
  print(`Waiting for callbacks. Give this address in status_callback_urls: ${url ?? here.href}`);
  if (url !== undefined) print(`  listens     at ${here.origin}, for callbacks to that address alone`);
  Object.entries(whom.allowedDomains).forEach(([domain, baseUrl]) => { print(`  believes    ${domain}, by the certificate that discovery names at ${baseUrl}`); });
  print(`  trusts      ${whom.trustedFrom}`);
  if (target) print(`  forwards    what is verified to ${target.href}`);
  print('Ctrl-C ends it.');
}

function tellOfTls(reason: string, { print }: Terminal): void {
  print('');
  print(`A connection ended before TLS was agreed on (${reason}): does the sender trust this certificate?`);
}
