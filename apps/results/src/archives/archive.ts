import { TOPICS } from '@opendsr-service/contracts';
import type { ClaimedDocument, DueDocument } from '@opendsr-service/storage';
import type { ExportOrder } from '../export/export-source';

/** Longer than one piece takes to build. The builder extends it while it works. */
export const LEASE_MS = 60_000;

/** After this time the log no longer holds a missing completion, and the archive is swept. */
export const UNCOMPLETED_KEPT_MS = TOPICS.requestEvents.retentionMs;

export interface Archive extends DueDocument {
  readonly srid: string;
  /** `empty`: no profile matched. `forgotten`: expired, or it held an erased subject; its data is removed. */
  readonly state: 'building' | 'ready' | 'empty' | 'forgotten';
  readonly order?: Pick<ExportOrder, 'kid' | 'identities'>;
  /** The current build, and the key that seals its chunks. */
  readonly build?: string;
  readonly kid?: string;
  readonly matched?: number;
  readonly chunks?: number;
  readonly bytes?: number;
  readonly builtAt?: Date;
  readonly completedAt?: Date;
  readonly expiresAt?: Date;
  readonly sweepAt?: Date;
}

export type BuildResult = Pick<Archive, 'state' | 'chunks' | 'bytes'> & Required<Pick<Archive, 'matched'>>;

export type ClaimedArchive = ClaimedDocument<Archive>;

export type BuiltArchive = Archive & Required<Pick<Archive, 'build' | 'kid'>>;

export const isBuilt = (archive: Archive): archive is BuiltArchive =>
  archive.build !== undefined && archive.kid !== undefined;

type ReadyArchive = Archive & Required<Pick<Archive, 'build' | 'kid' | 'chunks' | 'bytes'>>;

/** HTTP status of a results link (protocol, "Results download"): 410 after its expiry. */
export function answerOf(archive: Archive | undefined, now: Date, validityMs: number): ReadyArchive | 404 | 410 {
  if (!archive) return 404;
  if (archive.state === 'forgotten' || isPast(archive, now, validityMs)) return 410;
  return isReady(archive) ? archive : 404;
}

/** The completion is unknown if an older copy of the database was restored. Then validity counts from the build. */
function isPast({ expiresAt, builtAt }: Archive, now: Date, validityMs: number): boolean {
  if (expiresAt) return expiresAt <= now;
  return builtAt !== undefined && builtAt.getTime() + validityMs <= now.getTime();
}

const isReady = (archive: Archive): archive is ReadyArchive => archive.state === 'ready' && isBuilt(archive);
