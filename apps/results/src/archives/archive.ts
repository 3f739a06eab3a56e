import { TOPICS } from '@opendsr-service/contracts';
import type { ExportOrder } from '../export/export-source';

/** Longer than the making of one piece; a builder extends it as long as it works. */
export const LEASE_MS = 60_000;

/** A completion that has not come for so long is no longer in the log: an archive that waits for one is swept. */
export const UNCOMPLETED_KEPT_MS = TOPICS.requestEvents.retentionMs;

/** What became of the data of a request. Times are set by events, everything else by the builder and the sweep. */
export interface Archive {
  /** `<ws>:<srid>` */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** `empty`: no profile matched. `forgotten`: past its validity, or it held a person who was erased since; nothing is left of it. */
  readonly state: 'building' | 'ready' | 'empty' | 'forgotten';
  /** What it is built from; gone once it is built and reported. */
  readonly order?: Pick<ExportOrder, 'kid' | 'identities'>;
  /** Set while there is something to build or to report. */
  readonly dueAt?: Date;
  /**
   * When that should have been done: claims and failures put `dueAt` off, and leave this as it is. Archives of before this field have it
   * from the first time that they have to wait.
   */
  readonly dueSince?: Date;
  /** Of whoever builds it now. */
  readonly token?: string;
  readonly tries: number;
  /** The try that its chunks belong to, and the key that seals them. */
  readonly build?: string;
  readonly kid?: string;
  /** How many profiles the identities of the request reached; stays. */
  readonly matched?: number;
  readonly chunks?: number;
  readonly bytes?: number;
  readonly builtAt?: Date;
  readonly completedAt?: Date;
  readonly expiresAt?: Date;
  /** When the sweep takes it; unset once it did. */
  readonly sweepAt?: Date;
}

/** What a try to build one came to. */
export type BuildResult = Pick<Archive, 'state' | 'chunks' | 'bytes'> & Required<Pick<Archive, 'matched'>>;

export type ClaimedArchive = Archive & { readonly token: string };

/** An archive of which something was built. */
export type BuiltArchive = Archive & Required<Pick<Archive, 'build' | 'kid'>>;

export const isBuilt = (archive: Archive): archive is BuiltArchive =>
  archive.build !== undefined && archive.kid !== undefined;

/** An archive that can be handed out. */
export type ReadyArchive = Archive & Required<Pick<Archive, 'build' | 'kid' | 'chunks' | 'bytes'>>;

/** What a link answers (interface.md, "Results download"): past its validity it is gone for good, whatever it held. */
export function answerOf(archive: Archive | undefined, now: Date, validityMs: number): ReadyArchive | 404 | 410 {
  if (!archive) return 404;
  if (archive.state === 'forgotten' || isPast(archive, now, validityMs)) return 410;
  return isReady(archive) ? archive : 404;
}

/**
 * The completion counts. Where none is known it may have been taken in by a database that was replaced by an older copy since, so a
 * link does not wait for it longer than it would answer after it; a completion that does come opens it again.
 */
function isPast({ expiresAt, builtAt }: Archive, now: Date, validityMs: number): boolean {
  if (expiresAt) return expiresAt <= now;
  return builtAt !== undefined && builtAt.getTime() + validityMs <= now.getTime();
}

const isReady = (archive: Archive): archive is ReadyArchive => archive.state === 'ready' && isBuilt(archive);
