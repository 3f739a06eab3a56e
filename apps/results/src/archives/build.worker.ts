import { randomUUID } from 'node:crypto';
import { ClaimLost, DueWork, type ClaimRenewal, type Clock, type Logger } from '@opendsr-service/service';
import type { DataKey, Vault } from '@opendsr-service/vault';
import type { ErasedSubjectsStore } from './erased-subjects.store';
import type { ExportOrder, ExportSource } from '../export/export-source';
import type { ParticipantReports } from '../reports/reports.client';
import { isBuilt, LEASE_MS, type Archive, type ClaimedArchive } from './archive';
import type { ArchiveSubjectsStore } from './archive-subjects.store';
import type { ArchivesStore } from './archives.store';
import type { Build, ChunksStore } from './chunks.store';
import { ExportReader } from './export-reader';
import { piecesOf } from './pieces';
import { zipOf } from './zip';

interface Parts {
  readonly archives: ArchivesStore;
  readonly chunks: Pick<ChunksStore, 'write' | 'removeBuild'>;
  readonly subjects: ArchiveSubjectsStore;
  readonly erasedSubjects: Pick<ErasedSubjectsStore, 'hasAny'>;
  readonly source: ExportSource;
  readonly vault: Vault;
  readonly reports: ParticipantReports;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Try {
  readonly build: Build;
  readonly key: DataKey;
  readonly lease: ClaimRenewal;
}

/** Many, because most archives are empty; a full one holds a chunk in memory. */
export const BUILDS = 32;
const CHUNK_BYTES = 262_144;

/** A subject was erased during the export. The next export does not contain them. */
class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
}

/** Builds archives in one pass over the export. A failed build restarts with a new build id and key. */
export class BuildWorker {
  readonly work: DueWork<ClaimedArchive>;

  constructor(
    private readonly parts: Parts,
    renewEveryMs?: number,
  ) {
    const step = (archive: ClaimedArchive, lease: ClaimRenewal) => this.step(archive, lease);
    this.work = new DueWork(
      { store: parts.archives, limit: BUILDS, step, renewEveryMs, failureMessage: 'An archive has to wait' },
      parts,
    );
  }

  /** Stores the order if it is new, and builds it at once where it is due and there is room. */
  async order(order: ExportOrder, dueAt: Date): Promise<void> {
    const { archives, clock } = this.parts;
    const now = clock.now();
    const isStored = dueAt <= now && (await this.work.startNew(() => archives.addClaimed(order, now)));
    if (!isStored) await archives.addOrder(order, dueAt);
  }

  private async step(archive: ClaimedArchive, lease: ClaimRenewal): Promise<void> {
    const { archives, reports, clock, log } = this.parts;
    const { ws, srid } = archive;
    let isEmpty = false;
    if (archive.state === 'building') {
      log.info({ ws, srid, attempt: archive.tries + 1 }, 'An archive is being built');
      isEmpty = (await this.build(archive, lease)) === 'empty';
      log.info({ ws, srid }, 'An archive was built');
    }
    await reports.reportCompleted(archive);
    log.info({ ws, srid }, 'An archive was reported');
    // An empty archive is stored by one write, after its report: no link leads to it.
    if (isEmpty) await archives.markEmpty(archive, clock.now());
    else await archives.markReported(archive);
  }

  private async build(archive: ClaimedArchive, lease: ClaimRenewal): Promise<'empty' | 'ready'> {
    const { ws, srid, order } = archive;
    if (!order) throw new Error('the archive has no order');
    await this.removePreviousBuild(archive);
    const reader = new ExportReader(this.parts.source.read({ ws, srid, ...order }));
    try {
      if (await reader.end()) return 'empty';
      await this.fill(archive, reader, lease);
      return 'ready';
    } finally {
      await reader.close();
    }
  }

  /** Removes the previous build only: another builder may hold the claim by now. */
  private async removePreviousBuild(archive: Archive): Promise<void> {
    if (!isBuilt(archive)) return;
    const { chunks, subjects, vault } = this.parts;
    await vault.destroy(archive.ws, archive.kid, 'archive');
    await chunks.removeBuild(archive);
    await subjects.removeBuild(archive);
  }

  private async fill(archive: ClaimedArchive, reader: ExportReader, lease: ClaimRenewal): Promise<void> {
    const { archives, chunks, subjects, vault, clock } = this.parts;
    const { ws, srid } = archive;
    const key = await vault.newKey(ws, 'archive');
    const build = { ws, srid, build: randomUUID() };
    const until = new Date(clock.now().getTime() + LEASE_MS);
    if (!(await archives.begin(archive, { build: build.build, kid: key.kid }, until))) {
      vault.giveBack(ws, 'archive', key);
      throw new ClaimLost();
    }
    try {
      const subjectIds = await reader.subjects();
      await this.recordSubjects(build, subjectIds);
      const written = await this.write({ build, key, lease }, piecesOf(zipOf(reader, clock.now()), CHUNK_BYTES));
      const outcome = { state: 'ready' as const, matched: subjectIds.length, ...written };
      if (!(await archives.markBuilt(archive, outcome, clock.now()))) throw new ClaimLost();
    } catch (error) {
      if (error instanceof ClaimLost) {
        await chunks.removeBuild(build);
        await subjects.removeBuild(build);
      }
      throw error;
    }
  }

  /**
   * Stores the subjects first and checks for erasures second; an erasure does the reverse. So one of them sees the
   * other, and no archive outlives the erasure of its subject (decision 14).
   */
  private async recordSubjects(build: Build, subjectIds: readonly string[]): Promise<void> {
    await this.parts.subjects.add(build, subjectIds);
    if (await this.parts.erasedSubjects.hasAny(build.ws, subjectIds)) throw new SubjectErased();
  }

  private async write({ build, key, lease }: Try, pieces: AsyncIterable<Buffer>) {
    let count = 0;
    let bytes = 0;
    for await (const piece of pieces) {
      await lease.renew();
      await this.parts.chunks.write(build, count, key, piece);
      count += 1;
      bytes += piece.length;
    }
    return { chunks: count, bytes };
  }
}
