import { verifyAttestation, type AttestationVerdict } from '@opendsr-service/client';
import { readBundle } from '@opendsr-service/contracts';
import { believed, believedOptions } from '../callbacks/believed';
import { checkLines } from '../callbacks/callback-lines';
import { command, EXIT, type Terminal } from '../command';
import { operand, optional, UsageError } from '../options';
import { jsonOption, show } from '../output';
import { ownVerifierKey, verifierKey, witnessKeys } from '../transparency/transparency.config';
import { attestationLines } from './attestation-lines';

const keyText = (text: string): string => {
  verifierKey(text);
  return text;
};
const witnessTexts = (text: string): readonly string[] => {
  witnessKeys(text);
  return text.split(',').map((one) => one.trim());
};

/** `dsr attestation verify` (docs/evidence.md). */
export const attestationVerify = command({
  words: 'attestation verify',
  meaning:
    'verifies an attestation offline and prints the result of each check. FILE is an envelope or a bundle; - reads the ' +
    'standard input. VKEY is the verifier key of the log; with --domain the log is checked only if it is given, else the ' +
    'default for a bundle is the key of this installation. Without it the certificate must be valid now. --witness names ' +
    'verifier keys, between commas, whose cosignatures the checkpoint must have',
  options: {
    file: operand('FILE', String),
    key: optional('VKEY', keyText),
    witness: optional('VKEY', witnessTexts),
    domain: believedOptions.domain,
    trust: believedOptions.trust,
    ...jsonOption,
  },
  run: async (given, terminal) => {
    const file = await terminal.files.bytes(given.file);
    const { allowedDomains, trust } = await believed(given, terminal);
    const logKey = given.key ?? (given.domain === undefined ? await ownKeyFor(file, terminal) : undefined);
    if (given.witness && logKey === undefined) throw new UsageError('--witness needs --key');
    const verdict = verifyAttestation(file, {
      ...{ allowedDomains: Object.keys(allowedDomains), now: () => terminal.now() },
      ...(trust !== undefined && { trust }),
      ...(logKey !== undefined && { logKey }),
      ...(given.witness && { witnessKeys: given.witness }),
    });
    show(terminal, given, verdict, linesOf);
    return verdict.valid ? EXIT.ok : EXIT.failed;
  },
});

/** An envelope alone needs no key. A bundle does, whatever its entry holds. */
const ownKeyFor = async (file: Buffer, terminal: Terminal): Promise<string | undefined> =>
  isBundle(file) ? ownVerifierKey(terminal) : undefined;

function isBundle(file: Buffer): boolean {
  try {
    return readBundle(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file))) !== undefined;
  } catch {
    return false;
  }
}

const linesOf = (verdict: AttestationVerdict): string[] =>
  verdict.valid
    ? [
        ...attestationLines(verdict),
        ...checkLines(verdict.checks),
        verdict.logged ? 'valid, and in the log' : 'valid now; the log was not checked',
      ]
    : [...checkLines(verdict.checks), `not valid: ${verdict.failed}`];
