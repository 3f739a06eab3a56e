import { Controller, Inject } from '@nestjs/common';
import { ingestProfiles, profileKey, TOPICS, type AttributesReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Log } from '@opendsr-service/runtime';
import type { DataKey, Vault } from '@opendsr-service/vault';
import { INGESTION_DATA_GROUP, LOG, VAULT } from '../tokens';
import { mergeAttributes, type Attributes } from './attributes';
import { decodeEach, type Decoded } from './decode-each';
import { losslessJson, parseLossless } from './lossless';
import { ProfilesStore, type ProfileDocument } from './profiles.store';

const WRITE_TRIES = 5;

/** What came for one profile, in the order in which it came. */
interface Arrival {
  readonly key: DataKey;
  readonly received: readonly Attributes[];
  readonly indexes: readonly number[];
}

/** Merges attributes into their profiles, in the order in which they came. What comes for an erased person is left out. */
@Controller()
export class AttributesConsumer {
  constructor(
    private readonly profiles: ProfilesStore,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @ConsumeBatch(TOPICS.ingestProfiles.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const { decoded, verdicts } = decodeEach(ingestProfiles, records);
    const written = new Set(await this.merge(await this.arrivals(decoded)));
    const skipped = decoded.filter(({ index }) => !written.has(index));
    for (const { index } of skipped) verdicts[index] = 'skip';
    if (skipped.length > 0) this.log.info({ count: skipped.length, topic: TOPICS.ingestProfiles.name, reason: 'key-destroyed' }, 'Records skipped');
    return verdicts;
  }

  private async arrivals(decoded: readonly Decoded<AttributesReceived>[]): Promise<Map<string, Arrival>> {
    const keys = await Promise.all(decoded.map(({ message: { ws, kid } }) => this.vault.key(ws, kid)));
    const arrivals = new Map<string, Arrival>();
    decoded.forEach(({ index, message: { ws, mpid, attributes } }, n) => {
      const key = keys[n];
      if (!key) return;
      const known = arrivals.get(profileKey(ws, mpid));
      const opened = attributesIn(key, { ws, mpid }, attributes);
      arrivals.set(profileKey(ws, mpid), { key, received: [...(known?.received ?? []), opened], indexes: [...(known?.indexes ?? []), index] });
    });
    return arrivals;
  }

  /** Answers the indexes of the records that are in their profile now; the others have none any more. */
  private async merge(arrivals: Map<string, Arrival>): Promise<number[]> {
    let profiles = await this.profiles.findAll([...arrivals.keys()]);
    const indexes = profiles.flatMap(({ _id }) => arrivals.get(_id)?.indexes ?? []);
    for (let attempt = 0; profiles.length > 0; attempt += 1) {
      if (attempt === WRITE_TRIES) throw new Error('other writers of a profile were always first');
      const changed = profiles.map((profile) => ({ profile, attributes: merged(profile, arrivals.get(profile._id)) }));
      if (await this.profiles.replaceAttributes(changed)) break;
      const sealed = new Map(changed.map(({ profile: { _id }, attributes }) => [_id, attributes]));
      // A seal is never made twice, so what does not stand there was not written.
      profiles = (await this.profiles.findAll([...sealed.keys()])).filter(({ _id, attributes }) => attributes !== sealed.get(_id));
    }
    return indexes;
  }
}

function merged(profile: ProfileDocument, arrival: Arrival | undefined): string {
  if (!arrival) throw new TypeError('a profile that was not asked for');
  const { key, received } = arrival;
  const before = profile.attributes === undefined ? {} : attributesIn(key, profile, profile.attributes);
  return key.seal(placeOf(profile), losslessJson(received.reduce(mergeAttributes, before)));
}

const placeOf = ({ ws, mpid }: Pick<ProfileDocument, 'ws' | 'mpid'>) => ({ ws, subject: mpid, field: 'attributes' });

const attributesIn = (key: DataKey, profile: Pick<ProfileDocument, 'ws' | 'mpid'>, sealed: string): Attributes =>
  parseLossless(key.open(placeOf(profile), sealed)) as Attributes;
