import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

const NOTE = 0x01;
const COSIGNATURE_V1 = 0x04;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const PREFIX = 'PRIVATE+KEY+';
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const NAME = /^[^\s+]+$/u;

/** A key text that is not what C2SP signed-note says. Its message holds nothing of it. */
export class NoteKeyError extends Error {
  override readonly name = 'NoteKeyError';
}

/** What checks signatures under one name. */
export interface NoteVerifier {
  readonly name: string;
  readonly id: Buffer;
  readonly isSigned: (text: string, signature: Buffer) => boolean;
}

/** What makes signatures under one name. */
export interface NoteSigner {
  readonly name: string;
  readonly id: Buffer;
  /** The verifier key, to be published: `name+id+key`. */
  readonly verifierKey: string;
  readonly verifier: NoteVerifier;
  readonly sign: (text: string) => Buffer;
}

/** The first bytes of a signature, which distinguish keys of the same name. */
export const keyId = (name: string, algorithm: number, key: Buffer): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.from([algorithm]))
    .update(key)
    .digest()
    .subarray(0, ID_BYTES);

const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_HEAD, bytes]), format: 'der', type: 'spki' });

const rawPublic = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD.length);

interface KeyText {
  readonly name: string;
  readonly algorithm: number;
  readonly key: Buffer;
  readonly id: string;
}

function readKey(text: string): KeyText {
  const [name = '', id = '', ...rest] = text.split('+');
  const bytes = Buffer.from(rest.join('+'), 'base64');
  const [algorithm] = bytes;
  if (!NAME.test(name) || !/^[0-9a-f]{8}$/.test(id) || bytes.length !== 1 + KEY_BYTES || algorithm === undefined)
    throw new NoteKeyError('it is no Ed25519 key as C2SP signed-note writes them');
  return { name, id, algorithm, key: bytes.subarray(1) };
}

const keyText = (name: string, id: Buffer, algorithm: number, key: Buffer): string =>
  [name, id.toString('hex'), Buffer.concat([Buffer.from([algorithm]), key]).toString('base64')].join('+');

/** Reads the verifier key of a log, or of a witness (`cosignature/v1`). Throws NoteKeyError. */
export const noteVerifier = (verifierKey: string): NoteVerifier =>
  verifierOf(verifierKey, [NOTE, COSIGNATURE_V1], 'neither Ed25519 nor cosignature/v1');

/** Reads the verifier key of a witness: `cosignature/v1`, Ed25519. Throws NoteKeyError. */
export const witnessVerifier = (verifierKey: string): NoteVerifier =>
  verifierOf(verifierKey, [COSIGNATURE_V1], 'not cosignature/v1');

function verifierOf(verifierKey: string, algorithms: readonly number[], otherwise: string): NoteVerifier {
  const { name, algorithm, key, id } = readKey(verifierKey);
  const computed = keyId(name, algorithm, key);
  if (computed.toString('hex') !== id) throw new NoteKeyError('its id does not belong to its name and key');
  if (!algorithms.includes(algorithm)) throw new NoteKeyError(`its algorithm is ${otherwise}`);
  const publicKey = publicKeyOf(key);
  const isSigned = (text: string, signature: Buffer) => verify(null, Buffer.from(text), publicKey, signature);
  return { name, id: computed, isSigned: algorithm === NOTE ? isSigned : cosigned(isSigned) };
}

const TIME_BYTES = 8;
const SECOND_MS = 1_000;

/** A cosignature is the time in seconds, then a signature of the note under a head that names the time (C2SP tlog-cosignature). */
const cosigned =
  (isSigned: NoteVerifier['isSigned']): NoteVerifier['isSigned'] =>
  (text, signature) =>
    signature.length > TIME_BYTES &&
    isSigned(cosignedText(signature.readBigUInt64BE(), text), signature.subarray(TIME_BYTES));

/** When the witness says that it saw the checkpoint. */
export const cosignedAt = (cosignature: Buffer): Date => new Date(Number(cosignature.readBigUInt64BE()) * SECOND_MS);

const cosignedText = (seconds: bigint, text: string): string => `cosignature/v1\ntime ${seconds}\n${text}`;

interface SecretKey {
  readonly name: string;
  readonly seed: Buffer;
}

function readSecret(text: string): SecretKey {
  if (!text.startsWith(PREFIX)) throw new NoteKeyError('it does not begin as a private key of C2SP signed-note');
  const { name, algorithm, key, id } = readKey(text.slice(PREFIX.length));
  const publicKey = rawPublic(createPublicKey(privateKeyOf(key)));
  if (algorithm !== NOTE || keyId(name, NOTE, publicKey).toString('hex') !== id)
    throw new NoteKeyError('its id does not belong to its name and key');
  return { name, seed: key };
}

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });

/** The text of a private key, from 32 random bytes. */
export function privateKeyText(name: string, seed: Buffer): string {
  if (!NAME.test(name)) throw new NoteKeyError('its name has a space or a plus sign, or is empty');
  const publicKey = rawPublic(createPublicKey(privateKeyOf(seed)));
  return `${PREFIX}${keyText(name, keyId(name, NOTE, publicKey), NOTE, seed)}`;
}

/** Reads the private key of a log: `PRIVATE+KEY+name+id+key`. Throws NoteKeyError. */
export function noteSigner(privateKey: string): NoteSigner {
  const { name, seed } = readSecret(privateKey);
  const key = privateKeyOf(seed);
  const publicKey = rawPublic(createPublicKey(key));
  const id = keyId(name, NOTE, publicKey);
  const verifierKey = keyText(name, id, NOTE, publicKey);
  return {
    ...{ name, id, verifierKey, verifier: noteVerifier(verifierKey) },
    sign: (text) => sign(null, Buffer.from(text), key),
  };
}

/** A witness with this private key, at this time. Only tests cosign; a log collects cosignatures of others. */
export function cosigner(privateKey: string, seconds: () => bigint): NoteSigner {
  const { name, seed } = readSecret(privateKey);
  const key = privateKeyOf(seed);
  const publicKey = rawPublic(createPublicKey(key));
  const id = keyId(name, COSIGNATURE_V1, publicKey);
  const verifierKey = keyText(name, id, COSIGNATURE_V1, publicKey);
  const sealed = (text: string): Buffer => {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigUInt64BE(seconds());
    return Buffer.concat([time, sign(null, Buffer.from(cosignedText(seconds(), text)), key)]);
  };
  return { name, id, verifierKey, verifier: noteVerifier(verifierKey), sign: sealed };
}
