import { randomBytes } from 'node:crypto';
import { isDeviceIdentity, type Identity, type Shape } from '@opendsr-service/contracts';
import type { NamedIdentity } from '../identities/dialects';
import type { Subject } from '../identities/subject';
import type { IDENTITY_ANSWER } from './answer-schemas';

export type IdentityAnswer = Shape<typeof IDENTITY_ANSWER> & {
  readonly matched_identities: Readonly<Record<string, string>>;
};

export function identityAnswer(
  context: string | null | undefined,
  named: readonly NamedIdentity[],
  { mpid, ownedIdentities }: Pick<Subject, 'mpid' | 'ownedIdentities'>,
): IdentityAnswer {
  const isOwned = (identity: Identity): boolean =>
    ownedIdentities.some((own) => own.type === identity.type && own.value === identity.value);
  const matched = named.filter(({ identity }) => isOwned(identity));
  return {
    context: context ?? null,
    mpid,
    matched_identities: Object.fromEntries(matched.map(({ name, identity }) => [name, identity.value])),
    is_ephemeral: false,
    is_logged_in: matched.some(({ identity }) => !isDeviceIdentity(identity.type)),
  };
}

/** The answer to a dropped call: clients need an mpid, so this one is random. */
export const ephemeralAnswer = (context: string | null | undefined): IdentityAnswer => ({
  ...identityAnswer(context, [], { mpid: randomBytes(8).readBigInt64BE().toString(), ownedIdentities: [] }),
  is_ephemeral: true,
});
