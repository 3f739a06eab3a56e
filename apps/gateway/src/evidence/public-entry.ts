import { NO_WORKSPACE, type LeafAdded } from '@opendsr-service/contracts';

/** An entry as everyone may read it: nothing of it names a workspace or a person (docs/evidence.md). */
export interface PublicEntry {
  readonly kind: string;
  readonly at: string;
  readonly digest: string;
  readonly dueAt?: string;
  /** Keyed pseudonym; absent where no workspace is concerned. */
  readonly workspace?: string;
}

/** The bytes of an entry: the same leaf always gives the same. */
export function publicEntry(
  { kind, at, digest, dueAt, ws }: Pick<LeafAdded, 'kind' | 'at' | 'digest' | 'dueAt' | 'ws'>,
  pseudonym: string,
): string {
  const entry: PublicEntry = {
    ...{ kind, at, digest },
    ...(dueAt !== undefined && { dueAt }),
    ...(ws !== NO_WORKSPACE && { workspace: pseudonym }),
  };
  return JSON.stringify(entry);
}
