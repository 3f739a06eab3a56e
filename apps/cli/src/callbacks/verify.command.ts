import { createVerifier, REVOCATION_MODES, type Verdict } from '@opendsr-service/client';
import { command, EXIT, type Terminal } from '../command';
import { instant, oneOf, optional, required } from '../options';
import { believed, believedOptions, callbackUrl } from './believed';
import { checkLines, line, callbackLines } from './callback-lines';
import { savedHeaders } from './saved-headers';

/** `dsr verify`: checks a saved callback (docs/receiving-callbacks.md). */
export const verifyCommand = command({
  words: 'verify',
  meaning:
    'checks a saved callback and prints the result of each check. The body is the bytes as received; ' +
    'the headers are "Name: value" lines or a JSON object. With --certificate it fetches nothing and ' +
    'checks revocation only if --revocation asks for it. TIME replaces the current time. Without --url ' +
    'it accepts any callback URL',
  options: {
    body: required('FILE', String),
    headers: required('FILE', String),
    certificate: optional('FILE', String),
    ...believedOptions,
    at: optional('TIME', instant),
    url: optional('URL', callbackUrl),
    revocation: optional(REVOCATION_MODES.join('|'), oneOf(REVOCATION_MODES)),
  },
  run: async (given, terminal) => {
    const { allowedDomains, trust } = await believed(given, terminal);
    const { at, url, certificate } = given;
    const verifier = createVerifier({
      allowedDomains,
      callbackUrls: url === undefined ? () => true : [url],
      now: () => at ?? terminal.now(),
      revocation: given.revocation ?? (certificate === undefined ? 'if-named' : 'off'),
      ...(trust !== undefined && { trust }),
      ...(certificate !== undefined && { certificatePem: await terminal.files.text(certificate) }),
    });
    const verdict = await verifier.verify(
      await terminal.files.bytes(given.body),
      savedHeaders(await terminal.files.text(given.headers)),
    );
    report(verdict, url !== undefined, terminal);
    return verdict.valid ? EXIT.ok : EXIT.failed;
  },
});

function report(verdict: Verdict, addressed: boolean, { print }: Terminal): void {
  if (verdict.valid)
    [line('delivery', verdict.deliveryId ?? 'without an id'), ...callbackLines(verdict)].forEach(print);
  checkLines(verdict.checks.filter(({ check }) => addressed || check !== 'url')).forEach(print);
  print(
    verdict.valid
      ? `valid${addressed ? '' : ' for any callback URL: --url names yours'}`
      : `not valid: ${verdict.failed}`,
  );
}
