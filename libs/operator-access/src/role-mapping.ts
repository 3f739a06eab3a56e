import { MAPPED_ROLE } from '@opendsr-service/config';
import type { Grant, Role } from './roles';

/** One line of the mapping: who has this value of the claim has the grant. */
interface MappedRole {
  readonly value: string;
  readonly grant: Grant;
}

/** The mapping of a claim's values to grants. Texts that are no `MAPPED_ROLE` map nothing. */
export const roleMapping = (texts: readonly string[]): readonly MappedRole[] =>
  texts.flatMap((text) => {
    const [, value, role, ws] = MAPPED_ROLE.exec(text) ?? [];
    return value === undefined ? [] : [{ value, grant: { role: role as Role, ...(ws !== undefined && { ws }) } }];
  });

/** What the values of a claim grant; a claim that is neither a text nor a list of texts grants nothing. */
export function grantsOf(mapping: readonly MappedRole[], claim: unknown): readonly Grant[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return mapping.filter(({ value }) => values.includes(value)).map(({ grant }) => grant);
}
