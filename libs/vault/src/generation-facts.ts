import type { Connection } from 'mongoose';
import type { Keys } from './open-keys';
import { stateOf } from './generations.store';
import type { GenerationState } from './rotation-steps';

export interface GenerationFacts extends GenerationState {
  /** The secret of the current generation does not exist: no data key of this database opens. */
  readonly isLost: boolean;
}

/** Of the `keys` database; undefined where it has no generations. Writes nothing. */
export async function generationFacts(
  connection: Connection,
  { generations }: Keys,
): Promise<GenerationFacts | undefined> {
  const state = await stateOf(connection);
  if (!state) return undefined;
  return { ...state, isLost: generations !== undefined && !(await generations.read(state.current)) };
}
