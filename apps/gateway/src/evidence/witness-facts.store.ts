import type { NoteVerifier } from '@opendsr-service/transparency';
import type { Connection } from 'mongoose';
import { witnessId } from './witness-id';
import { WitnessesStore } from './witnesses.store';

/** What is known of a witness of the transparency log. */
export interface WitnessFacts {
  readonly name: string;
  /** When it cosigned last, or was asked first; undefined where it was never asked. */
  readonly since: Date | undefined;
  readonly hasCosigned: boolean;
  /** Why it did not cosign when it was asked last. */
  readonly reason: string | undefined;
}

/** Of these witnesses, for `dsr doctor`. */
export function witnessFactsOf(connection: Connection, witnesses: readonly NoteVerifier[]): Promise<WitnessFacts[]> {
  const store = new WitnessesStore(connection);
  return Promise.all(
    witnesses.map(async (witness) => {
      const { since, cosignature, reason } = (await store.find(witnessId(witness))) ?? {};
      return { name: witness.name, since, hasCosigned: cosignature !== undefined, reason };
    }),
  );
}
