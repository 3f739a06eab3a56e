import type { Connection } from 'mongoose';
import type { Keys } from './open-keys';
import { isSecretOf, stateOf } from './generations.store';
import type { GenerationState } from './rotation-steps';

export interface GenerationFacts extends GenerationState {
  /** The secret of the current generation is not in its place, or another one is: no data key of this database opens. */
  readonly isLost: boolean;
}

/** Of the `keys` database; undefined where it has no generations. Writes nothing. */
export async function generationFacts(
  connection: Connection,
  { generations }: Keys,
): Promise<GenerationFacts | undefined> {
  const state = await stateOf(connection);
  if (!state) return undefined;
  const secret = await generations?.read(state.current);
  return { ...state, isLost: generations !== undefined && (!secret || !isSecretOf(state, secret)) };
}
