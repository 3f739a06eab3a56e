import { command, EXIT, type Terminal } from '../command';
import { address, optional, wholeNumber } from '../options';
import { believed, believedOptions, callbackUrl } from './believed';
import { openListener, type ListenAddress } from './listen.wiring';
import { shownCertificate, shownOptions } from './shown-certificate';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8443;

/** `dsr listen`: a receiver on the inspector (docs/receiving-callbacks.md). */
export const listenCommand = command({
  words: 'listen',
  meaning:
    'receives callbacks, prints the result of each check and answers 202 or 401, until Ctrl-C. It ' +
    'forwards verified callbacks to --forward-to. Without options it trusts the sandbox of npm start ' +
    'and uses its certificate. --url names the only callback URL that it accepts, if that differs from ' +
    'its own address. --plain leaves TLS to a proxy in front',
  options: {
    port: optional('N', wholeNumber(0, 65_535)),
    host: optional('H', String),
    'forward-to': optional('URL', address),
    ...believedOptions,
    ...shownOptions,
    url: optional('URL', callbackUrl),
  },
  run: async (given, terminal) => {
    const whom = await believed(given, terminal);
    const tls = await shownCertificate(given, whom.sandbox, terminal);
    const { host = DEFAULT_HOST, port = DEFAULT_PORT, url, 'forward-to': target } = given;
    const place: ListenAddress = { host, port, tls, whom, url, target };
    const inspector = await openListener(place, terminal);
    greet(inspector.here, place, terminal);
    await terminal.untilStopped();
    await inspector.close();
    terminal.print('');
    terminal.print(
      `stopped after ${inspector.counts.verified} verified callbacks and ${inspector.counts.refused} refused requests`,
    );
    return EXIT.ok;
  },
});

function greet(here: URL, { url, target, whom }: ListenAddress, { print }: Terminal): void {
  print(`Waiting for callbacks. Give this address in status_callback_urls: ${url ?? here.href}`);
  if (url !== undefined) print(`  listens     at ${here.origin}, for callbacks to that address only`);
  Object.entries(whom.allowedDomains).forEach(([domain, baseUrl]) => {
    print(`  accepts     ${domain}, by the certificate that discovery names at ${baseUrl}`);
  });
  print(`  trusts      ${whom.trustedFrom}`);
  if (target) print(`  forwards    verified callbacks to ${target.href}`);
  print('Press Ctrl-C to stop.');
}
