import { randomBytes, randomUUID } from 'node:crypto';
import { needsExtension, requestIdentityType, type ProtocolVersion } from '@opendsr-service/contracts';
import { isObject } from '../checks';
import type { Fault } from './faults';
import type { Fields } from './fake-http';
import { isTaken } from './narrow';

export interface FakeRequest {
  readonly id: string;
  /** The id as it was sent. */
  readonly sent: string;
  readonly type: string;
  readonly group: string | null;
  /** The part that is compared with other requests. */
  readonly same: string;
  readonly urls: readonly string[];
  readonly isKnown: boolean;
  readonly token: string;
}

type Is = (fault: Fault) => boolean;

const isText = (value: unknown, pattern = /./): value is string => typeof value === 'string' && pattern.test(value);

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
export const KNOWN_EMAIL = 'known@example.com';

interface Rules {
  readonly version: ProtocolVersion;
  readonly extensionKey: string;
  readonly broken?: Fault;
  readonly is: Is;
}

/** The rules of a body in short form. Returns the request or its fault. */
export function readFake(text: string, rules: Rules): FakeRequest | string[] {
  const { extensionKey, is } = rules;
  const whole = parsed(text);
  const body = isObject(whole) ? whole : {};
  const faults = [...(isObject(whole) ? [] : ['the body']), ...wrongFields(body, rules)];
  const own = is('the extension is unknown') ? {} : ownOf(body, extensionKey);
  const identities = [...outside(body.subject_identities, faults, rules), ...inside(own, faults, is)];
  if (identities.length === 0) faults.push('subject_identities');
  if (is('every body is taken'))
    return requestOf(
      { ...body, status_callback_urls: faults.length > 0 ? [] : body.status_callback_urls },
      identities,
      is,
    );
  if (faults.length > 0) return is('only the first fault is named') ? faults.slice(0, 1) : faults;
  return requestOf(body, identities, is);
}

const ownOf = ({ extensions }: Fields, key: string): unknown => (isObject(extensions) ? (extensions[key] ?? {}) : {});

/** Also of a body that should have been refused. */
function requestOf(
  { subject_request_id: given, subject_request_type: type, group_id: group, status_callback_urls: urls = [] }: Fields,
  identities: readonly string[],
  is: Is,
): FakeRequest {
  const id = isText(given) ? given : randomUUID();
  const same = is('the order of identities matters') ? identities : [...new Set(identities)].sort();
  return {
    id: is('ids keep their case') ? id : id.toLowerCase(),
    sent: id,
    type: String(type),
    group: isText(group) ? group : null,
    urls: urls as readonly string[],
    same: same.join('|') || id,
    isKnown: identities.includes(`email:${KNOWN_EMAIL}`),
    token: randomBytes(16).toString('hex'),
  };
}

function wrongFields(body: Fields, { version, extensionKey, broken, is }: Rules): string[] {
  const isRight: Readonly<Record<string, boolean>> = {
    regulation: !version.hasRegulation || is('no regulation is needed') || isText(body.regulation, /^(gdpr|ccpa)$/),
    subject_request_id: isText(body.subject_request_id, is('any id is taken') ? /./ : UUID_V4),
    subject_request_type: isText(body.subject_request_type, /^(access|portability|erasure)$/),
    submitted_time: isText(body.submitted_time, /^\d{4}-\d\d-\d\d/),
    api_version: [undefined, '', version.apiVersion].includes(body.api_version as string | undefined),
    group_id: body.group_id === undefined || isText(body.group_id, /^.{1,256}$/),
    status_callback_urls: areUrls(body.status_callback_urls),
    extensions: body.extensions === undefined || isObject(body.extensions),
    body: isTaken(broken, body, { version, extensionKey }),
  };
  return Object.keys(isRight).filter((field) => !isRight[field]);
}

/** Integers as their digits, since a number would lose some. */
function parsed(text: string): unknown {
  const digits = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) ? BigInt(source ?? value) : value;
  try {
    return (JSON.parse as (text: string, reviver: typeof digits) => unknown)(text, digits);
  } catch {
    return undefined;
  }
}

const areUrls = (urls: unknown): boolean =>
  urls === undefined || (Array.isArray(urls) && urls.every((url) => isText(url, /^https:\/\/|^http:\/\/127/)));

function outside(list: unknown, faults: string[], { extensionKey, is }: Rules): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return fault(faults, 'subject_identities');
  return list.flatMap((identity: unknown) => {
    if (
      !isObject(identity) ||
      (identity.identity_format !== 'raw' && !(is('hashed identities are taken') && isText(identity.identity_format)))
    )
      return fault(faults, 'identity_format');
    const type = requestIdentityType(String(identity.identity_type));
    if (type && needsExtension(type) && !is('extension types outside are taken'))
      return fault(faults, `extensions.${extensionKey}`);
    return known(identity, faults, is);
  });
}

function inside(own: unknown, faults: string[], is: Is): string[] {
  if (!isObject(own)) return fault(faults, 'extensions');
  const { mpids = [], identities = [] } = own;
  if (!Array.isArray(mpids) || !Array.isArray(identities)) return fault(faults, 'extensions');
  const profiles = mpids.flatMap((mpid: unknown) =>
    isMpid(mpid) && !(is('negative mpids are refused') && BigInt(String(mpid)) < 0n)
      ? [`mpid:${is('mpids through a number') ? String(Number(mpid)) : String(mpid)}`]
      : fault(faults, 'mpids'),
  );
  return [
    ...profiles,
    ...identities.flatMap((identity: unknown) =>
      isObject(identity) ? known(identity, faults, is) : fault(faults, 'identities'),
    ),
  ];
}

const isMpid = (mpid: unknown): boolean =>
  (typeof mpid === 'bigint' || isText(mpid, /^-?\d+$/)) &&
  BigInt.asIntN(64, BigInt(String(mpid))) === BigInt(String(mpid));

const fault = (faults: string[], what: string): string[] => (faults.push(what), []);

function known({ identity_type: spelling, identity_value: value }: Fields, faults: string[], is: Is): string[] {
  const type = requestIdentityType(String(spelling));
  const isUnknown =
    (is('an identity type is unknown') && type === 'android_id') ||
    (is('the other Roku spelling is unknown') && spelling === 'roku_publisher_id');
  if (!type || isUnknown || !isText(spelling) || !isText(value))
    return fault(faults, 'identity_type or identity_value');
  return [
    `${type}:${/customer|other/.test(type) && !is('customer ids lose their case') ? value.trim() : value.trim().toLowerCase()}`,
  ];
}
