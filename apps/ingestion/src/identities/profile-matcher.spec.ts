import { identity, World } from '../testing/world';
import { IdentitiesStore, type OwnedIdentity } from './identities.store';
import { ProfileMatcher } from './profile-matcher';
import { SubjectMatcher } from './subject-matcher';

/** More than a call of a function may have arguments. */
const MANY = 200_000;

it('finds the profile of a person who has very many identities', async () => {
  const world = await World.open();
  try {
    const email = identity('email', 'many@example.com');
    const { mpid, key } = await world.identify('ws', email);
    class Many extends IdentitiesStore {
      override findByProfiles(): Promise<OwnedIdentity[]> {
        const one = { ws: 'ws', mpid, kid: key.kid, type: 'android_id' } as const;
        return Promise.resolve(Array.from({ length: MANY }, (_, n) => ({ ...one, _id: `ws:${n}` })));
      }
    }
    const identities = new Many(world.parts.connection);
    const matcher = new ProfileMatcher(
      { ...world.stores, identities },
      new SubjectMatcher(world.stores, world.parts.vault),
    );
    expect(await matcher.findProfiles('ws', [email], 'all')).toMatchObject([{ mpid }]);
  } finally {
    await world.close();
  }
});
