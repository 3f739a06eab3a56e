import { randomUUID } from 'node:crypto';
import { PARTICIPANTS, participantReport, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock, Log } from '@opendsr-service/runtime';
import type { DataKey, Vault } from '@opendsr-service/vault';
import type { ExportSource } from '../export/export-source';
import type { Archive, ClaimedArchive } from './archive';
import { LEASE_MS, type ArchivesStore } from './archives.store';
import type { ChunksStore } from './chunks.store';
import { ExportReader } from './export-reader';
import { piecesOf } from './pieces';
import { zipOf } from './zip';

interface Parts {
  readonly archives: ArchivesStore;
  readonly chunks: Pick<ChunksStore, 'write' | 'remove' | 'removeBuild'>;
  readonly source: ExportSource;
  readonly vault: Vault;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly log: Log;
}

const PAGE = 4;
const CHUNK_BYTES = 262_144;
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 3_600_000;

/** Another builder has the archive: what this one wrote is of no use. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/**
 * Builds archives in one pass over the export, and reports only what is stored. A try that broke off is begun anew under another
 * build and key; what it left is removed first.
 */
export class BuildWorker {
  constructor(private readonly parts: Parts) {}

  /** Builds what is due; answers how much that was. */
  async runOnce(): Promise<number> {
    const due = await this.parts.archives.claimDue(this.parts.clock.now(), PAGE);
    await Promise.all(due.map((archive) => this.goOn(archive)));
    return due.length;
  }

  private async goOn(archive: ClaimedArchive): Promise<void> {
    const { archives, clock, log } = this.parts;
    try {
      await this.step(archive);
    } catch (error) {
      const { ws, srid, tries } = archive;
      log.warn({ ws, srid, attempt: tries + 1, error }, 'An archive has to wait');
      // Where not even this can be written, the lease brings the archive back.
      await archives.putOff(archive, new Date(clock.now().getTime() + Math.min(FIRST_GAP_MS * 2 ** tries, LONGEST_GAP_MS))).catch(() => undefined);
    }
  }

  private async step(archive: ClaimedArchive): Promise<void> {
    const { archives, publisher, clock } = this.parts;
    const { ws, srid } = archive;
    if (archive.state === 'building') await this.build(archive);
    await publisher.publish(TOPICS.participantReports.name, [participantReport(PARTICIPANTS.results, { ws, srid }, { status: 'completed' }, clock.now())]);
    await archives.reported(archive);
  }

  private async build(archive: ClaimedArchive): Promise<void> {
    const { ws, srid, order } = archive;
    if (!order) throw new Error('an archive to be built has no order');
    await this.removeBefore(archive);
    const reader = new ExportReader(this.parts.source.read({ ws, srid, ...order }));
    try {
      if (await reader.end()) await this.conclude(archive, { state: 'empty' });
      else await this.fill(archive, reader);
    } finally {
      await reader.close();
    }
  }

  private async removeBefore({ ws, srid, kid }: Archive): Promise<void> {
    if (kid === undefined) return;
    await this.parts.vault.destroy(ws, kid, 'archive');
    await this.parts.chunks.remove(ws, srid);
  }

  private async conclude(archive: ClaimedArchive, outcome: Pick<Archive, 'state' | 'chunks' | 'bytes'>): Promise<void> {
    if (!(await this.parts.archives.built(archive, outcome))) throw new ClaimLost();
  }

  private async fill(archive: ClaimedArchive, reader: ExportReader): Promise<void> {
    const { archives, chunks, vault, clock } = this.parts;
    const { ws, srid } = archive;
    const key = await vault.newKey(ws, 'archive');
    const build = { ws, srid, build: randomUUID() };
    if (!(await archives.begin(archive, build.build, key.kid))) throw new ClaimLost();
    try {
      const written = await this.write(archive, build, key, piecesOf(zipOf(reader, clock.now()), CHUNK_BYTES));
      await this.conclude(archive, { state: 'ready', ...written });
    } catch (error) {
      if (error instanceof ClaimLost) await chunks.removeBuild(build);
      throw error;
    }
  }

  private async write(archive: ClaimedArchive, build: Parameters<ChunksStore['write']>[0], key: DataKey, pieces: AsyncIterable<Buffer>) {
    const { archives, chunks, clock } = this.parts;
    let count = 0;
    let bytes = 0;
    let extendAt = clock.now().getTime() + LEASE_MS / 2;
    for await (const piece of pieces) {
      const nowMs = clock.now().getTime();
      if (nowMs >= extendAt) {
        if (!(await archives.extend(archive, new Date(nowMs + LEASE_MS)))) throw new ClaimLost();
        extendAt = nowMs + LEASE_MS / 2;
      }
      await chunks.write(build, count, key, piece);
      count += 1;
      bytes += piece.length;
    }
    return { chunks: count, bytes };
  }
}
