import type { NoteVerifier } from '@opendsr-service/transparency';

/** Name and key id, as in the verifier key of a witness: what its document is called. */
export const witnessId = ({ name, id }: Pick<NoteVerifier, 'name' | 'id'>): string => `${name}+${id.toString('hex')}`;
