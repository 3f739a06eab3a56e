import { Controller, Inject } from '@nestjs/common';
import { ingestProfiles, profileKey, TOPICS, type AttributesReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { DataKey, Vault } from '@opendsr-service/vault';
import { INGESTION_DATA_GROUP, PROFILE_LIMIT_BYTES, VAULT } from '../tokens';
import { mergeWithin, type Attributes } from './attributes';
import { decodeEach, type Decoded } from './decode-each';
import { losslessJson, parseLossless } from './lossless';
import { openSeal, SEAL_BROKEN } from './open-seal';
import { ProfilesStore, type ProfileDocument } from './profiles.store';

const WRITE_TRIES = 5;
const TOO_LARGE: Verdict = { park: 'profile-too-large', aside: true };

/** What came for one profile, in the order in which it came. */
interface Arrival {
  readonly key: DataKey;
  readonly received: Attributes[];
  /** The places of their records. */
  readonly indexes: number[];
}

/** Merges attributes into their profiles, in the order in which they came. What comes for an erased person is left out. */
@Controller()
export class AttributesConsumer {
  constructor(
    private readonly profiles: ProfilesStore,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(PROFILE_LIMIT_BYTES) private readonly limitBytes: number,
  ) {}

  @ConsumeBatch(TOPICS.ingestProfiles.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const { decoded, verdicts } = decodeEach(ingestProfiles, records);
    const { arrivals, broken } = await this.arrivals(decoded);
    const answers = await this.merge(arrivals);
    for (const { index } of decoded) verdicts[index] = broken.has(index) ? SEAL_BROKEN : (answers.get(index) ?? 'key-gone');
    return verdicts;
  }

  private async arrivals(decoded: readonly Decoded<AttributesReceived>[]): Promise<{ arrivals: Map<string, Arrival>; broken: Set<number> }> {
    const keys = await Promise.all(decoded.map(({ message: { ws, kid } }) => this.vault.key(ws, kid)));
    const arrivals = new Map<string, Arrival>();
    const broken = new Set<number>();
    for (const [n, { index, message }] of decoded.entries()) {
      const key = keys[n];
      if (!key) continue;
      const opened = openSeal(key, placeOf(message), message.attributes);
      if (!opened) {
        broken.add(index);
        continue;
      }
      const id = profileKey(message.ws, message.mpid);
      const arrival = arrivals.get(id) ?? { key, received: [], indexes: [] };
      arrival.received.push(attributesIn(opened));
      arrival.indexes.push(index);
      arrivals.set(id, arrival);
    }
    return { arrivals, broken };
  }

  /** Answers for the records whose profile there is, by their place. */
  private async merge(arrivals: Map<string, Arrival>): Promise<Map<number, Verdict>> {
    const answers = new Map<number, Verdict>();
    let profiles = await this.profiles.findAll([...arrivals.keys()]);
    for (let attempt = 0; profiles.length > 0; attempt += 1) {
      if (attempt === WRITE_TRIES) throw new Error('other writers of a profile were always first');
      const changed = profiles.flatMap((profile) => this.merged(profile, arrivals.get(profile._id), answers));
      if (await this.profiles.replaceAttributes(changed)) break;
      const sealed = new Map(changed.map(({ profile: { _id }, attributes }) => [_id, attributes]));
      // A seal is never made twice, so what does not stand there was not written.
      profiles = (await this.profiles.findAll([...sealed.keys()])).filter(({ _id, attributes }) => attributes !== sealed.get(_id));
    }
    return answers;
  }

  /** What to write for a profile, if anything. */
  private merged(profile: ProfileDocument, arrival: Arrival | undefined, answers: Map<number, Verdict>): { profile: ProfileDocument; attributes: string }[] {
    if (!arrival) throw new TypeError('a profile that was not asked for');
    const { key, received, indexes } = arrival;
    const before = profile.attributes === undefined ? {} : attributesIn(key.open(placeOf(profile), profile.attributes));
    const { attributes, refused } = mergeWithin(this.limitBytes, before, received);
    for (const [n, index] of indexes.entries()) answers.set(index, refused.has(n) ? TOO_LARGE : 'done');
    return refused.size === received.length ? [] : [{ profile, attributes: key.seal(placeOf(profile), losslessJson(attributes)) }];
  }
}

const placeOf = ({ ws, mpid }: Pick<ProfileDocument, 'ws' | 'mpid'>) => ({ ws, subject: mpid, field: 'attributes' });

const attributesIn = (opened: Buffer): Attributes => parseLossless(opened) as Attributes;
