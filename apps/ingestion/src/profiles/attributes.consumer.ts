import { Controller, Inject } from '@nestjs/common';
import { ingestProfiles, profileKey, TOPICS, type AttributesReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, ParkedStore, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { DataKey, Vault } from '@opendsr-service/vault';
import { INGESTION_DATA_GROUP, PROFILE_LIMIT_BYTES, VAULT } from '../tokens';
import { EventLoopYield } from '../event-loop-yield';
import { mergeWithin, type Attributes } from './attributes';
import { decodeEach, type Decoded } from './decode-each';
import { losslessJson, parseLossless } from './lossless';
import { isBehind, mayBeOvertaken, positionAfterPage, wasRefused } from './merge-position';
import { openSeal, SEAL_BROKEN } from './open-seal';
import { ProfilesStore, type FullProfile, type MergedAttributes } from './profiles.store';

const WRITE_TRIES = 5;
/** Each profile is in memory several times, and may be large: those that are merged at once have so many bytes, and one profile. */
const MERGED_AT_ONCE_BYTES = 16_777_216;
const TOO_LARGE: Verdict = { park: 'profile-too-large', aside: true };
/** A redriven record whose profile has merged later ones. Their values remain. */
const OVERTAKEN: Verdict = { park: 'profile-overtaken', aside: true };
const GROUP = 'ingestion-data';

interface Received {
  readonly record: LogRecord;
  readonly attributes: Attributes;
}

interface Arrival {
  readonly key: DataKey;
  readonly received: Received[];
}

interface Answers {
  readonly verdicts: Map<LogRecord, Verdict>;
  /** Parked before. */
  readonly overtaken: Set<LogRecord>;
}

/** Merges in the order of the log. Skips records that are already merged, so a rewound group resets no profile. */
@Controller()
export class AttributesConsumer {
  constructor(
    private readonly profiles: ProfilesStore,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(PROFILE_LIMIT_BYTES) private readonly limitBytes: number,
    private readonly parked: ParkedStore,
  ) {}

  @ConsumeBatch(TOPICS.ingestProfiles.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const { decoded, verdicts } = decodeEach(ingestProfiles, records);
    const { arrivals, broken } = await this.arrivals(decoded, records);
    const answers = await this.merge(arrivals);
    for (const { index } of decoded) {
      const record = records[index] as LogRecord;
      const merged = answers.overtaken.has(record) ? OVERTAKEN : (answers.verdicts.get(record) ?? 'key-gone');
      verdicts[index] = broken.has(index) ? SEAL_BROKEN : merged;
    }
    return verdicts;
  }

  private async arrivals(
    decoded: readonly Decoded<AttributesReceived>[],
    records: readonly LogRecord[],
  ): Promise<{ arrivals: Map<string, Arrival>; broken: Set<number> }> {
    const keys = await Promise.all(decoded.map(({ message: { ws, kid } }) => this.vault.key(ws, kid)));
    const arrivals = new Map<string, Arrival>();
    const broken = new Set<number>();
    for (const [n, { index, message }] of decoded.entries()) {
      const key = keys[n];
      if (!key) continue;
      const opened = openSeal(key, sealContextOf(message), message.attributes);
      if (!opened) {
        broken.add(index);
        continue;
      }
      const id = profileKey(message.ws, message.mpid);
      const arrival = arrivals.get(id) ?? { key, received: [] };
      arrival.received.push({ record: records[index] as LogRecord, attributes: attributesIn(opened) });
      arrivals.set(id, arrival);
    }
    return { arrivals, broken };
  }

  private async merge(arrivals: Map<string, Arrival>): Promise<Answers> {
    const answers: Answers = { verdicts: new Map(), overtaken: new Set() };
    let [page, bytes] = [[] as FullProfile[], 0];
    for await (const profile of this.profiles.readAllInFull([...arrivals.keys()])) {
      page.push(profile);
      bytes += (profile.attributes?.length ?? 0) + receivedBytes(arrivals.get(profile._id));
      if (bytes < MERGED_AT_ONCE_BYTES) continue;
      await this.mergePage(page, arrivals, answers);
      [page, bytes] = [[], 0];
    }
    await this.mergePage(page, arrivals, answers);
    return answers;
  }

  private async mergePage(
    page: readonly FullProfile[],
    arrivals: ReadonlyMap<string, Arrival>,
    answers: Answers,
  ): Promise<void> {
    const turns = new EventLoopYield();
    let profiles = page;
    for (let attempt = 0; profiles.length > 0; attempt += 1) {
      if (attempt === WRITE_TRIES) throw new Error('concurrent writers changed a profile at every attempt');
      await this.findOvertaken(profiles, arrivals, answers);
      const changed: MergedAttributes[] = [];
      for (const profile of profiles) {
        changed.push(...this.merged(profile, arrivals.get(profile._id), answers));
        await turns.yieldWhenDue();
      }
      if (await this.profiles.replaceAttributes(changed)) break;
      const sealed = new Map(changed.map(({ profile: { _id }, attributes }) => [_id, attributes]));
      // Every seal differs, so a profile with other bytes was not written.
      profiles = (await this.profiles.findAllInFull([...sealed.keys()])).filter(
        ({ _id, attributes }) => attributes !== sealed.get(_id),
      );
    }
  }

  private async findOvertaken(
    profiles: readonly FullProfile[],
    arrivals: ReadonlyMap<string, Arrival>,
    { overtaken }: Answers,
  ): Promise<void> {
    const behind = profiles.flatMap(({ _id, merged }) =>
      (arrivals.get(_id)?.received ?? []).map(({ record }) => record).filter((one) => mayBeOvertaken(one, merged)),
    );
    for (const record of await this.parked.findParkedForOwnReason(GROUP, behind)) overtaken.add(record);
  }

  private merged(
    profile: FullProfile,
    arrival: Arrival | undefined,
    { verdicts, overtaken }: Answers,
  ): MergedAttributes[] {
    if (!arrival) throw new TypeError('the store returned a profile that was not requested');
    const { key, received } = arrival;
    for (const { record } of received) verdicts.set(record, wasRefused(record, profile.merged) ? TOO_LARGE : 'done');
    const fresh = received.filter(({ record }) => !isBehind(record, profile.merged) && !overtaken.has(record));
    const before =
      profile.attributes === undefined ? {} : attributesIn(key.open(sealContextOf(profile), profile.attributes));
    const { attributes, refused } = mergeWithin(
      this.limitBytes,
      before,
      fresh.map((one) => one.attributes),
    );
    for (const [n, { record }] of fresh.entries()) if (refused.has(n)) verdicts.set(record, TOO_LARGE);
    // Those that an earlier write refused may not be parked yet.
    const tooLarge = received.map(({ record }) => record).filter((record) => verdicts.get(record) === TOO_LARGE);
    const taken = fresh.filter((_, n) => !refused.has(n)).map(({ record }) => record);
    const merged = positionAfterPage(profile.merged, taken, tooLarge);
    return merged ? [{ profile, attributes: key.seal(sealContextOf(profile), losslessJson(attributes)), merged }] : [];
  }
}

const receivedBytes = (arrival: Arrival | undefined): number =>
  arrival?.received.reduce((sum, { record }) => sum + record.value.length, 0) ?? 0;

const sealContextOf = ({ ws, mpid }: Pick<FullProfile, 'ws' | 'mpid'>) => ({
  ws,
  subject: mpid,
  field: 'attributes',
});

const attributesIn = (opened: Buffer): Attributes => parseLossless(opened) as Attributes;
