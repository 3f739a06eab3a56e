import { MAX_IDENTITY_CHARS } from '@opendsr-service/contracts';
import { badRequest, invalid } from '@opendsr-service/edge';
import { misnamedIdentities, readIdentities, type IdentityBody, type NamedIdentity } from '../identities/dialects';

const MOST_AHEAD_MS = 86_400_000;

interface TimedBody extends IdentityBody {
  readonly timestamp_unixtime_ms?: number;
}

export const fieldAt = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
export const wholeAt = (at: string): string => at || 'The body';
export const noIdentityAt = (at: string): string => `${wholeAt(at)} names no identity of a known type.`;

export function faultsOf(body: TimedBody, now: Date, at = ''): string[] {
  const faults = misnamedIdentities(body).map(
    (path) => `${fieldAt(at, path)} must be a string of at most ${MAX_IDENTITY_CHARS} Unicode characters.`,
  );
  const isAhead = (body.timestamp_unixtime_ms ?? 0) > now.getTime() + MOST_AHEAD_MS;
  return isAhead ? [...faults, `${fieldAt(at, 'timestamp_unixtime_ms')} is more than 24 hours ahead.`] : faults;
}

/** Call it before values are normalised, because normalising very long values is expensive. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw badRequest(faults.map(invalid));
}

export function identitiesOf(body: TimedBody, now: Date): NamedIdentity[] {
  refuseFaults(faultsOf(body, now));
  const identities = readIdentities(body);
  refuseFaults(identities.length === 0 ? [noIdentityAt('')] : []);
  return identities;
}
