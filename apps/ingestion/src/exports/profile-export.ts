import { identitySet, type DeviceMatching, type ExportItem, type Identity } from '@opendsr-service/contracts';
import { silentLogger, type Logger } from '@opendsr-service/service';
import type { DataKey, Vault } from '@opendsr-service/vault';
import { deviceMatchingOf, type WorkspaceReader } from '../identities/device-matching';
import type { IdentitiesStore } from '../identities/identities.store';
import type { BatchesStore } from '../profiles/batches.store';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import { batchLine, profileItems } from './archive-lines';
import { openIdentities, type SealedIdentities } from './sealed-identities';
import { EventLoopYield } from '../event-loop-yield';

interface Reads {
  readonly matcher: {
    findProfiles(ws: string, identities: readonly Identity[], matching: DeviceMatching): Promise<ProfileDocument[]>;
  };
  readonly workspaces: WorkspaceReader;
  readonly identities: Pick<IdentitiesStore, 'findByProfile'>;
  readonly profiles: Pick<ProfilesStore, 'findAllInFull'>;
  readonly batches: Pick<BatchesStore, 'readByProfile'>;
}

interface Readable {
  readonly profile: ProfileDocument;
  readonly key: DataKey;
}

/** Reads the data of a request lazily, so that its size does not matter. */
export class ProfileExport {
  constructor(
    private readonly reads: Reads,
    private readonly vault: Vault,
    private readonly log: Pick<Logger, 'info'> = silentLogger,
  ) {}

  /** Throws RequestKeyGone. An export without `end` is broken and must not be used. */
  async *read(request: SealedIdentities): AsyncGenerator<ExportItem, void, undefined> {
    const { ws, srid } = request;
    const matching = await deviceMatchingOf(this.reads.workspaces, ws);
    const profiles = await this.readable(
      ws,
      await this.reads.matcher.findProfiles(ws, await openIdentities(this.vault, request), matching),
    );
    yield { subjects: await Promise.all(profiles.map(({ profile }) => this.vault.erasedIndex(ws, profile.mpid))) };
    let attributes = 0;
    for (const { profile, key } of profiles) {
      const attributesJson = await this.attributesOf(profile, key);
      if (attributesJson !== '{}') attributes += 1;
      const { mpid, createdAt } = profile;
      yield* profileItems({ mpid, createdAt, identities: await this.identitiesOf(profile, key), attributesJson });
    }
    let batches = 0;
    const turns = new EventLoopYield();
    for (const { profile, key } of profiles) {
      for await (const { mpid, kid, sealed } of this.reads.batches.readByProfile(ws, profile.mpid)) {
        await turns.yieldWhenDue();
        if (kid !== key.kid) continue;
        yield { batch: batchLine(mpid, key.open({ ws, subject: mpid, field: 'batch' }, sealed)) };
        batches += 1;
      }
    }
    this.log.info({ ws, srid, count: profiles.length, records: batches }, 'An export was completed');
    yield { end: { profiles: profiles.length, batches, attributes } };
  }

  /** A profile without its key is being erased, so it is left out. */
  private async readable(ws: string, profiles: readonly ProfileDocument[]): Promise<Readable[]> {
    const keys = await Promise.all(profiles.map(({ kid }) => this.vault.key(ws, kid)));
    return profiles.flatMap((profile, n) => {
      const key = keys[n];
      return key ? [{ profile, key }] : [];
    });
  }

  /** Of one profile at a time: all of a request may be too many for the memory. */
  private async attributesOf({ _id, ws, mpid }: ProfileDocument, key: DataKey): Promise<string> {
    const [stored] = await this.reads.profiles.findAllInFull([_id]);
    if (stored?.attributes === undefined) return '{}';
    return key.open({ ws, subject: mpid, field: 'attributes' }, stored.attributes).toString('utf8');
  }

  private async identitiesOf({ ws, mpid }: ProfileDocument, key: DataKey): Promise<Identity[]> {
    const documents = await this.reads.identities.findByProfile(ws, mpid);
    const identities = documents.map(({ type, sealed }) => ({
      type,
      value: key.open({ ws, subject: mpid, field: 'identity' }, sealed).toString('utf8'),
    }));
    // A device may be stored twice: verified and anonymous.
    return identitySet(identities);
  }
}
