import { until } from '../receiver/until';
import { heldOf } from './rollback';
import { ingestPerson, type Person, type World } from './world';

/** Consumers may still be joining their groups. */
const TAKEN_IN_MS = 60_000;
/** The time limit of a rule that ingests a whole person and awaits an archive. */
export const FULL_PERSON_MS = 300_000;

/**
 * Ingests a person and waits until an archive would contain the event, which the service stores after its answer.
 * Returns the profile's id.
 */
export async function ingestPersonFully(world: Pick<World, 'controller' | 'service'>, person: Person): Promise<string> {
  const mpid = await ingestPerson(world, person);
  await until(
    'an event to be taken in',
    async () => (await heldOf(world.service.stores, { mpid, srid: '' })).found.includes('batches'),
    TAKEN_IN_MS,
  );
  return mpid;
}
