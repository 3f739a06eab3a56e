import { ingestIdentityType, namesNobody, normaliseIdentity, type IdentityTypeName } from '@opendsr-service/contracts';
import { badRequest, invalid, type ApiError } from '@opendsr-service/edge';
import type { IdentityChange, RefusedChange } from '../identities/subject';
import type { IdentityChangeDto } from './modify.dto';

const pathOf = (index: number): string => `identity_changes[${index}]`;
const isGiven = (value: string | null | undefined): value is string => value !== null && value !== undefined;

/** A value that names nobody is none: a change to it removes the old one. */
export function readChanges(given: readonly IdentityChangeDto[]): IdentityChange[] {
  const faults = given.flatMap((change, index) => faultsOf(change).map((fault) => invalid(`${pathOf(index)}${fault}`)));
  if (faults.length > 0) throw badRequest(faults);
  return given.map(({ identity_type, old_value, new_value }) => {
    const type = ingestIdentityType(identity_type) as IdentityTypeName;
    const [from, to] = [old_value, new_value].map((value) =>
      isGiven(value) ? normaliseIdentity(type, value) : undefined,
    );
    return { ...(from && { from }), ...(to && { to }) };
  });
}

function faultsOf({ identity_type, old_value, new_value }: IdentityChangeDto): string[] {
  const type = ingestIdentityType(identity_type);
  if (type === undefined) return ['.identity_type is unknown.'];
  if (!isGiven(old_value) && !isGiven(new_value)) return [' has neither an old_value nor a new_value.'];
  const isFaulty = (value: string | null | undefined): boolean =>
    isGiven(value) && !namesNobody(type, value) && normaliseIdentity(type, value) === undefined;
  return [
    ...(isFaulty(old_value) ? ['.old_value is empty.'] : []),
    ...(isFaulty(new_value) ? ['.new_value is empty.'] : []),
  ];
}

const REFUSED = {
  'not-owned': '.old_value is not an identity of this profile.',
  'owned-by-another': '.new_value belongs to another profile.',
  'too-many': '.new_value is more than the profile may have: it has as many identities as a profile may.',
} as const satisfies Record<RefusedChange['reason'], string>;

export const refusedChanges = (refused: readonly RefusedChange[]): ApiError =>
  badRequest(refused.map(({ change, reason }) => invalid(`${pathOf(change)}${REFUSED[reason]}`)));
