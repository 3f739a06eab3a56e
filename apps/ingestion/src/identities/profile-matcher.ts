import {
  isDeviceIdentity,
  type DeviceMatching,
  type Identity,
  type IdentityTypeName,
} from '@opendsr-service/contracts';
import type { IngestionCollections } from '../database.config';
import type { ProfileDocument } from '../profiles/profiles.store';
import { isUnverifiedId, unverifiedId } from './identity-id';
import { matchProfiles, type ProfileLink, type SubjectRef } from './matching';
import { mpidsOf, type SubjectMatcher } from './subject-matcher';

interface LinkedIdentity {
  readonly _id: string;
  readonly mpid: string;
  readonly type?: IdentityTypeName;
  /** The `_id` of the identity, if it differs from that of the link. */
  readonly identityId?: string;
}

/** Current owners, or the owners that are being erased. */
interface LinkSource {
  find(
    ws: string,
    ids: readonly string[],
  ): Promise<readonly (LinkedIdentity & Required<Pick<LinkedIdentity, 'type'>>)[]>;
  findByProfiles(ws: string, mpids: readonly string[]): Promise<readonly LinkedIdentity[]>;
}

/** Protocol, "Profile matching". */
export class ProfileMatcher {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'profiles' | 'links'>,
    private readonly owners: SubjectMatcher,
  ) {}

  async findProfiles(
    ws: string,
    identities: readonly Identity[],
    matching: DeviceMatching,
  ): Promise<ProfileDocument[]> {
    return this.stores.profiles.find(ws, await this.findMpids({ ws, identities, matching }, [this.stores.identities]));
  }

  /**
   * Includes identities that a crash left without profile, and subjects that another request is erasing, which must be
   * gone before this one completes. Excludes profiles created after `until`, because a replayed order is older than
   * they are.
   */
  async findToErase(query: MatchQuery, until: Date): Promise<SubjectRef[]> {
    const { ws } = query;
    const { profiles, identities: owned, links } = this.stores;
    const mpids = await this.findMpids(query, [owned, links]);
    // In the order in which another erasure removes them: a subject that left the first two is in the last.
    const standing = await profiles.find(ws, mpids);
    const left = await owned.findByProfiles(ws, mpids);
    const erasing = await links.findByProfiles(ws, mpids);
    const later = new Set(standing.filter(({ createdAt }) => createdAt > until).map(({ mpid }) => mpid));
    const reached = [...erasing, ...left, ...standing].filter(({ mpid }) => !later.has(mpid));
    return [...new Map(reached.map(({ mpid, kid }) => [mpid, { mpid, kid }])).values()];
  }

  /** Lets other requests find a subject during its erasure, until `removeLinks`. Idempotent. */
  async retainLinks(ws: string, subject: SubjectRef): Promise<void> {
    await this.stores.links.add(ws, subject, await this.stores.identities.findByProfiles(ws, [subject.mpid]));
  }

  async removeLinks(ws: string, { mpid }: SubjectRef): Promise<void> {
    await this.stores.links.removeByProfile(ws, mpid);
  }

  private async findMpids({ ws, identities, matching }: MatchQuery, from: readonly LinkSource[]): Promise<string[]> {
    const own = (await this.owners.slotsOf(ws, identities)).map(({ _id }) => _id);
    const anonymous = (await this.owners.anonymousSlotsOf(ws, identities)).map(({ _id }) => _id);
    const find = (ids: readonly string[]) => readInOrder(from, (source) => source.find(ws, ids));
    const found = (await find([...own, ...own.map(unverifiedId), ...anonymous])).map(({ mpid, type }): ProfileLink => ({
      mpid,
      identityType: type,
    }));
    const named = identities
      .filter(({ type }) => type === 'mpid')
      .map(({ value }): ProfileLink => ({ mpid: value, identityType: 'mpid' }));
    const links = [...named, ...found];
    const all = await readInOrder(from, (source) => source.findByProfiles(ws, mpidsOf(links)));
    const logins = all.filter(({ type }) => type !== undefined && !isDeviceIdentity(type));
    const withLogin = new Set(logins.map(({ mpid }) => mpid));
    const unverified = new Set(all.filter((link) => isUnverifiedId(linkedIdOf(link))).map(({ mpid }) => mpid));
    const reached = matchProfiles(links, {
      devicesMatch: matching === 'all',
      hasLogin: (mpid) => withLogin.has(mpid),
      isUnverified: (mpid) => unverified.has(mpid),
    });
    // A verified caller related these identities, so their unverified data belongs to the subject.
    const isReached = new Set(reached);
    const verified = logins.filter((link) => isReached.has(link.mpid) && !isUnverifiedId(linkedIdOf(link)));
    return [
      ...new Set([...reached, ...mpidsOf(await find(verified.map((link) => unverifiedId(linkedIdOf(link)))))]),
    ].sort();
  }
}

interface MatchQuery {
  readonly ws: string;
  readonly identities: readonly Identity[];
  readonly matching: DeviceMatching;
}

const linkedIdOf = ({ _id, identityId = _id }: LinkedIdentity): string => identityId;

async function readInOrder<T>(
  from: readonly LinkSource[],
  read: (source: LinkSource) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (const source of from) for (const one of await read(source)) found.push(one);
  return found;
}
