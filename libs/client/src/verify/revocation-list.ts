import { allIn, elementsIn, type Element } from './der';

/** An unverified list; see `listFault`. */
export interface RevocationList {
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Undefined: a weak hash such as SHA-1. */
  readonly hash: string | undefined;
  /** DER of the name of the issuer. */
  readonly issuer: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** Increases with each list, if present. */
  readonly number: bigint | undefined;
  readonly scope: ListScope;
  /** May hold hundreds of thousands. */
  readonly entries: Buffer;
}

interface ListScope {
  readonly addresses: readonly string[] | undefined;
  readonly onlyLeaves: boolean;
  readonly onlyAuthorities: boolean;
  /** Some reasons only, a delta list, or an unknown critical extension. */
  readonly partial: boolean;
}

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  sequence: 0x30,
  utcTime: 0x17,
  generalizedTime: 0x18,
  extensions: 0xa0,
};
const OID = { reason: '551d15', issuingPoint: '551d1c', number: '551d14' };
const HASHES: Readonly<Record<string, string>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};
const REMOVE_FROM_LIST = 8;
const PEM = /-----BEGIN X509 CRL-----([A-Za-z0-9+/=\s]+)-----END X509 CRL-----/;

/** Parses DER or PEM. Certificate parsers refuse 20,000 entries and keep them in memory; this one scans them. */
export function readRevocationList(file: Buffer): RevocationList {
  const [list] = allIn(derOf(file));
  const [body, algorithm, signature] = needed(partsOf(list));
  const [sameAlgorithm, issuer, thisUpdate, ...rest] = needed(unversioned(partsOf(body)));
  if (!sameAlgorithm.raw.equals(algorithm.raw)) throw new RangeError('the signature algorithms differ');
  const nextUpdate = rest.find(isTime);
  const extensions = extensionsIn(contentOf(rest, TAG.extensions));
  return {
    signed: body.raw,
    // The first byte counts unused bits; a signature has none.
    signature: signature.content.subarray(1),
    hash: HASHES[hexOf(partsOf(algorithm)[0])],
    issuer: issuer.raw,
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(nextUpdate),
    number: numberIn(extensions),
    scope: scopeOf(extensions),
    entries: contentOf(rest, TAG.sequence) ?? Buffer.alloc(0),
  };
}

/** `removeFromCRL` is not a revocation. Throws on an unknown critical extension of an entry. */
export function isRevokedBy({ entries }: RevocationList, serial: Buffer): boolean {
  for (const entry of elementsIn(entries)) {
    const [number, , extensions] = partsOf(entry);
    if (number?.content.equals(serial)) return !isTakenOff(extensionsIn(extensions?.raw));
  }
  return false;
}

export function identityOf(certificateDer: Buffer): { readonly issuer: Buffer; readonly serial: Buffer } {
  const [certificate] = allIn(certificateDer);
  const parts = partsOf(partsOf(certificate)[0]);
  // Version 1 has no version element.
  const [serial, , issuer] = needed(parts[0]?.tag === TAG.integer ? parts : parts.slice(1));
  return { issuer: issuer.raw, serial: serial.content };
}

interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Element | undefined;
}

function derOf(file: Buffer): Buffer {
  const [, base64] =
    PEM.exec(file.subarray(0, 1).equals(Buffer.from([TAG.sequence])) ? '' : file.toString('latin1')) ?? [];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}

function extensionsIn(bytes: Buffer | undefined): Extension[] {
  const [list] = allIn(bytes ?? Buffer.alloc(0));
  return partsOf(list).map((extension) => {
    const [oid, ...rest] = partsOf(extension);
    const octets = rest.find(({ tag }) => tag === TAG.octets);
    return { oid: hexOf(oid), critical: rest.some(isTrue), value: octets && allIn(octets.content)[0] };
  });
}

function isTakenOff(extensions: Extension[]): boolean {
  if (extensions.some(({ oid, critical }) => critical && oid !== OID.reason))
    throw new RangeError('an entry has an unknown critical extension');
  return extensions.some(({ oid, value }) => oid === OID.reason && value?.content[0] === REMOVE_FROM_LIST);
}

/** issuingDistributionPoint (RFC 5280, 5.2.5) limits the scope; other critical extensions are unknown. */
function scopeOf(extensions: Extension[]): ListScope {
  const parts = partsOf(extensions.find(({ oid }) => oid === OID.issuingPoint)?.value);
  const flag = (tag: number) => parts.some((part) => part.tag === tag && part.content.some((byte) => byte !== 0));
  const [name] = partsOf(parts.find(({ tag }) => tag === 0xa0));
  const addresses = name && partsOf(name).filter(({ tag }) => tag === 0x86);
  const [someReasons, indirect, attributes] = [0x83, 0x84, 0x85].map(flag);
  return {
    addresses: addresses?.map(({ content }) => content.toString('latin1')),
    onlyLeaves: flag(0x81),
    onlyAuthorities: flag(0x82),
    partial:
      [someReasons, indirect, attributes].includes(true) ||
      extensions.some(({ oid, critical }) => critical && oid !== OID.issuingPoint),
  };
}

function numberIn(extensions: Extension[]): bigint | undefined {
  const value = extensions.find(({ oid }) => oid === OID.number)?.value;
  return value?.tag === TAG.integer ? BigInt(`0x${hexOf(value)}`) : undefined;
}

type AtLeastThree = [Element, Element, Element, ...Element[]];

function needed(parts: Element[]): AtLeastThree {
  if (parts.length < 3) throw new RangeError('parts are missing');
  return parts as AtLeastThree;
}

const unversioned = (parts: Element[]): Element[] => (parts[0]?.tag === TAG.integer ? parts.slice(1) : parts);
const contentOf = (parts: readonly Element[], wanted: number): Buffer | undefined =>
  parts.find(({ tag }) => tag === wanted)?.content;
const partsOf = (element: Element | undefined): Element[] => (element ? allIn(element.content) : []);
const hexOf = (element: Element | undefined): string => element?.content.toString('hex') ?? '';
const isTime = ({ tag }: Element): boolean => tag === TAG.utcTime || tag === TAG.generalizedTime;
const isTrue = ({ tag, content }: Element): boolean => tag === TAG.boolean && content[0] !== 0;

function timeOf({ tag, content }: Element): Date {
  const text = content.toString('latin1');
  // Two digits mean 1950 to 2049 (RFC 5280, 4.1.2.5.1).
  const whole = tag === TAG.utcTime ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const time = new Date(whole.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(time.getTime())) throw new RangeError('not a time');
  return time;
}
