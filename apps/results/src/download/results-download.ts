import { Readable } from 'node:stream';
import type { Clock } from '@opendsr-service/service';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import { answerOf } from '../archives/archive';
import type { ArchivesStore } from '../archives/archives.store';
import type { ChunksStore } from '../archives/chunks.store';

export type DownloadResult =
  | { readonly status: 200; readonly stream: Readable; readonly bytes: number }
  | { readonly status: 404 }
  | { readonly status: 410 };

interface Parts {
  readonly archives: Pick<ArchivesStore, 'find'>;
  readonly chunks: Pick<ChunksStore, 'read'>;
  readonly linkKeys: LinkKeys;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly validityMs: number;
}

/** Serves archives by link token. The token alone authorises. */
export class ResultsDownload {
  constructor(private readonly parts: Parts) {}

  /** The stream breaks if the archive is forgotten during the download. */
  async open(token: string): Promise<DownloadResult> {
    const { archives, chunks, linkKeys, vault, clock, validityMs } = this.parts;
    const link = linkKeys.verifyToken(token);
    if (!link) return { status: 404 };
    const archive = answerOf(await archives.find(link.ws, link.srid), clock.now(), validityMs);
    if (typeof archive === 'number') return { status: archive };
    const key = await vault.key(archive.ws, archive.kid);
    if (!key) return { status: 410 };
    return {
      status: 200,
      stream: Readable.from(chunks.read(archive, archive.chunks, key), { objectMode: false }),
      bytes: archive.bytes,
    };
  }
}
