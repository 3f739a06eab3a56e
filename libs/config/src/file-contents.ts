import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ValueOf, setting, type Setting, SettingFault, type SettingSpec } from './setting';

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

/** The value is what the file holds. */
const secret = <S extends object>(spec: S): S & { readonly isSecret: true } => ({ ...spec, isSecret: true });

/** A file with one line of text, read now, without the end of the line. `kind` describes `pattern`. */
export const lineOfFile = <const S extends SettingSpec<string>>(
  spec: S,
  pattern: RegExp = /./,
  kind = 'text',
): Setting<ValueOf<string, S>> =>
  setting<string, S>('file', secret(spec), (file) => {
    const line = textOf(file).replace(/(\r?\n)+$/, '');
    if (/[\r\n]/.test(line) || !pattern.test(line)) throw new SettingFault(`must hold one line, ${kind}`);
    return line;
  });

export const certificatesOfFile = <const S extends SettingSpec<readonly string[]>>(
  spec: S,
): Setting<ValueOf<readonly string[], S>> =>
  setting<readonly string[], S>('file', secret(spec), (file) => certificatesIn(textOf(file), CERTIFICATES));

export const keyOfFile = <const S extends SettingSpec<string>>(spec: S): Setting<ValueOf<string, S>> =>
  setting<string, S>('file', secret(spec), (file) => keyIn(textOf(file), KEY));

/** A file with a private key and its certificate, in any order, read now. */
export const identityOfFile = <const S extends SettingSpec<ClientIdentity>>(
  spec: S,
): Setting<ValueOf<ClientIdentity, S>> =>
  setting<ClientIdentity, S>('file', secret(spec), (file) => {
    const pem = textOf(file);
    const identity = { key: keyIn(pem, IDENTITY), cert: certificatesIn(pem, IDENTITY).join('\n') };
    if (!isKeyOf(identity)) throw new SettingFault(`must hold ${IDENTITY}`);
    return identity;
  });
