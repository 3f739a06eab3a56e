import { requestKey } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import type { ErasureDocument } from '../erasure/erasures.store';
import { ArchivesStore } from '../archives/archives.store';

/** What results stores about a request, for operators' tools. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const archive = await new ArchivesStore(connection).find(ws, srid);
  const erasure = await connection.collection<ErasureDocument>('erasures').findOne({ _id: requestKey(ws, srid), ws });
  if (!archive && !erasure) return undefined;
  return { archive: archive && archiveFacts(archive), erasure: erasure && erasureFacts(erasure) };
}

const archiveFacts = ({
  state,
  matched,
  tries,
  dueAt,
  token,
  chunks,
  bytes,
  builtAt,
  completedAt,
  expiresAt,
  sweepAt,
}: NonNullable<Awaited<ReturnType<ArchivesStore['find']>>>) => ({
  ...{ state, matched, tries, dueAt, chunks, bytes, builtAt, completedAt, expiresAt, sweepAt },
  isClaimed: token !== undefined,
});

const erasureFacts = ({ erased, profiles, passes, tries, dueAt, token }: ErasureDocument) => ({
  profiles: erased?.length ?? profiles,
  passes,
  tries,
  dueAt,
  isClaimed: token !== undefined,
});
