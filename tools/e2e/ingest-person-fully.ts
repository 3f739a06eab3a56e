import { until } from '../receiver/until';
import { heldOf } from './rollback';
import { ingestPerson, type Person, type World } from './world';

/** Consumers may still be joining their groups. */
const TAKEN_IN_MS = 60_000;
/** The limit of a rule in which a person is told of wholly and an archive of him is waited for. */
export const FULL_PERSON_MS = 300_000;

/**
 * Tells the service of a person, and waits until his event, which is answered before it is taken in, would be in an
 * archive. Answers the profile's id.
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
