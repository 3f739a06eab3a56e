import { Controller, Inject } from '@nestjs/common';
import { ingestProfiles, TOPICS, type AttributesReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Log } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import { INGESTION_DATA_GROUP, LOG, VAULT } from '../tokens';
import { mergeAttributes, type Attributes } from './attributes';
import { losslessJson, parseLossless } from './lossless';
import { ProfilesStore } from './profiles.store';

const WRITE_TRIES = 5;

/** Merges attributes into their profile, in the order in which they came. */
@Controller()
export class AttributesConsumer {
  constructor(
    private readonly profiles: ProfilesStore,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @ConsumeBatch(TOPICS.ingestProfiles.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const verdicts = await eachInOrder(records, (record) => this.merge(ingestProfiles.decode(record)));
    const skipped = verdicts.filter((verdict) => verdict === 'skip').length;
    if (skipped > 0) this.log.info({ count: skipped, topic: TOPICS.ingestProfiles.name, reason: 'key-destroyed' }, 'Records skipped');
    return verdicts;
  }

  private async merge({ ws, mpid, kid, attributes }: AttributesReceived): Promise<Verdict> {
    const key = await this.vault.key(ws, kid);
    if (!key) return 'skip';
    const place = { ws, subject: mpid, field: 'attributes' };
    const open = (sealed: string): Attributes => parseLossless(key.open(place, sealed)) as Attributes;
    for (let attempt = 0; attempt < WRITE_TRIES; attempt += 1) {
      const [profile] = await this.profiles.find(ws, [mpid]);
      if (!profile) return 'skip';
      const merged = mergeAttributes(profile.attributes ? open(profile.attributes) : {}, open(attributes));
      if (await this.profiles.replaceAttributes(profile, key.seal(place, losslessJson(merged)))) return 'done';
    }
    throw new Error('other writers of one profile were always first');
  }
}
