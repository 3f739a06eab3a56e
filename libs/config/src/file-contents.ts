import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { secretsOf, setting, type Setting, SettingFault, type SettingSpec, type ValueOf } from './setting';

/** A client's private key and its certificate with the chain, PEM. */
export interface ClientIdentity {
  readonly key: string;
  readonly cert: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;
const blocksOf = (pem: string, kind: RegExp): string[] =>
  [...pem.matchAll(BLOCK)].filter(([, name = '']) => kind.test(name)).map(([block]) => block);

/** Hides the error of `make`, which may quote the file. */
function parseOrRefuse<T>(wanted: string, make: () => T): T {
  try {
    return make();
  } catch {
    throw new SettingFault(`must hold ${wanted}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingFault('names a file that cannot be read');
  }
}

function certificatesIn(pem: string, wanted: string): readonly string[] {
  const certificates = blocksOf(pem, /^CERTIFICATE$/);
  if (certificates.length === 0) throw new SettingFault(`must hold ${wanted}`);
  certificates.forEach((certificate) => parseOrRefuse(wanted, () => new X509Certificate(certificate)));
  return certificates;
}

function keyIn(pem: string, wanted: string): string {
  const [key = '', ...more] = blocksOf(pem, /PRIVATE KEY$/);
  if (more.length > 0) throw new SettingFault(`must hold ${wanted}`);
  parseOrRefuse(wanted, () => createPrivateKey(key));
  return key;
}

const CERTIFICATES = 'certificates, PEM';
const KEY = 'one private key, PEM, that needs no password';
const IDENTITY = 'a private key that needs no password and its certificate, PEM';

/** Whether a key is that of the first of some certificates. */
export const isKeyOf = ({ key, cert }: ClientIdentity): boolean =>
  new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));

/** A file with one line of text, read now, without the end of the line. `kind` describes `pattern`. */
export const lineOfFile = <const S extends SettingSpec<string>>(
  spec: S,
  pattern: RegExp = /./,
  kind = 'text',
): Setting<ValueOf<string, S>> =>
  setting<string, S>('file', { ...spec, isSecret: true }, (file) => {
    const line = textOf(file).replace(/(\r?\n)+$/, '');
    if (/[\r\n]/.test(line) || !pattern.test(line)) throw new SettingFault(`must hold one line, ${kind}`);
    return line;
  });

export const certificatesOfFile = secretsOf<readonly string[]>('file', (file) =>
  certificatesIn(textOf(file), CERTIFICATES),
);

export const keyOfFile = secretsOf<string>('file', (file) => keyIn(textOf(file), KEY));

/** A file with a private key and its certificate, in any order, read now. */
export const identityOfFile = secretsOf<ClientIdentity>('file', (file) => {
  const pem = textOf(file);
  const identity = { key: keyIn(pem, IDENTITY), cert: certificatesIn(pem, IDENTITY).join('\n') };
  if (!isKeyOf(identity)) throw new SettingFault(`must hold ${IDENTITY}`);
  return identity;
});
