import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Fields } from './fake-http';

/** Whether a body that is right is taken by a processor that is too narrow. */
type IsTaken = (body: Fields, rules: { readonly version: ProtocolVersion; readonly extensionKey: string }) => boolean;

const FIELDS = [
  'regulation',
  'subject_request_id',
  'subject_request_type',
  'submitted_time',
  'subject_identities',
  'api_version',
  'status_callback_urls',
  'extensions',
  'group_id',
];
const lengthOf = (value: unknown): number | undefined => (value as { length?: number } | undefined)?.length;

/** Faults of an intake that refuses what it must take. */
const NARROW = {
  'no erasure is taken': ({ subject_request_type: type }) => type !== 'erasure',
  'ccpa is not taken': ({ regulation }) => regulation !== 'ccpa',
  'api_version is needed': ({ api_version: version }) => version !== undefined,
  'an empty api_version is refused': ({ api_version: version }) => version !== '',
  'an empty list of callbacks is refused': ({ status_callback_urls: urls }) => lengthOf(urls) !== 0,
  'a date alone is refused': ({ submitted_time: time }) => (lengthOf(time) ?? 0) > 10,
  'unknown fields are refused': (body) => Object.keys(body).every((field) => FIELDS.includes(field)),
  'long group names are refused': ({ group_id: group }) => (lengthOf(group) ?? 0) < 200,
  'one identity alone is taken': ({ subject_identities: identities }) => (lengthOf(identities) ?? 0) < 2,
  'extensions of others are refused': ({ extensions = {} }, { extensionKey }) =>
    Object.keys(extensions as object).every((key) => key === extensionKey),
  'version 1 needs a regulation': ({ regulation }, { version }) => version.hasRegulation || regulation !== undefined,
  'version 1 reads a regulation': ({ regulation }, { version }) =>
    version.hasRegulation || [undefined, 'gdpr', 'ccpa'].includes(regulation as string | undefined),
} as const satisfies Readonly<Record<string, IsTaken>>;
export type Narrowness = keyof typeof NARROW;

export const isTaken = (broken: string | undefined, ...[body, rules]: Parameters<IsTaken>): boolean =>
  broken === undefined || !Object.hasOwn(NARROW, broken) || NARROW[broken as Narrowness](body, rules);
