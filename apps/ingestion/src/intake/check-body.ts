import { badRequest, invalid } from '@opendsr-service/edge';
import { misnamedIdentities, readIdentities, type IdentityBody, type NamedIdentity } from '../identities/dialects';

const MOST_AHEAD_MS = 86_400_000;

/** The identities of a body that is sound in what its class cannot say. Throws a 400 that names every fault. */
export function identitiesOf(body: IdentityBody & { readonly timestamp_unixtime_ms?: number }, now: Date): NamedIdentity[] {
  const faults = misnamedIdentities(body).map((path) => `${path} must be a string of at most 4096 characters.`);
  if ((body.timestamp_unixtime_ms ?? 0) > now.getTime() + MOST_AHEAD_MS) faults.push('timestamp_unixtime_ms is more than 24 hours ahead.');
  const identities = readIdentities(body);
  if (identities.length === 0 && faults.length === 0) faults.push('The body names no identity that is known here.');
  if (faults.length > 0) throw badRequest(faults.map(invalid));
  return identities;
}
