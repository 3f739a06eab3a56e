import { requestKey } from '@opendsr-service/contracts';
import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import type { ErasureDocument } from '../erasure/erasures.store';
import type { Archive } from '../archives/archive';
import { ArchivesStore } from '../archives/archives.store';

/** What results stores about its share of a request, for operators' tools. */
export async function shownShare(connection: Connection, ws: string, srid: string) {
  const archive = await new ArchivesStore(connection).find(ws, srid);
  const erasure = await connection.collection<ErasureDocument>('erasures').findOne({ _id: requestKey(ws, srid), ws });
  if (!archive && !erasure) return undefined;
  return { archive: archive && archiveFacts(archive), erasure: erasure && withdrawalFacts(erasure) };
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
}: Archive) => ({
  ...{ state, matched, tries, dueAt, chunks, bytes, builtAt, completedAt, expiresAt, sweepAt },
  isClaimed: token !== undefined,
});

const withdrawalFacts = ({ erased, profiles, passes, tries, dueAt, token }: ErasureDocument) => ({
  profiles: erased?.length ?? profiles,
  passes,
  tries,
  dueAt,
  isClaimed: token !== undefined,
});

type Facts = NonNullable<Awaited<ReturnType<typeof shownShare>>>;
type State = RequestState<'results'>;

/** What the operator's API shows of a request; undefined: this service takes no part in it. */
export async function shareState(connection: Connection, ws: string, srid: string): Promise<State | undefined> {
  const facts = await shownShare(connection, ws, srid);
  return facts && { archive: archiveOf(facts.archive), withdrawal: withdrawalOf(facts.erasure) };
}

const archiveOf = (archive: Facts['archive']): State['archive'] =>
  archive
    ? {
        state: archive.state,
        matched_profiles: archive.matched ?? null,
        is_claimed: archive.isClaimed,
        due_time: timeOf(archive.dueAt),
        tries: archive.tries,
        chunks: archive.chunks ?? 0,
        bytes: archive.bytes ?? 0,
        built_time: timeOf(archive.builtAt),
        completed_time: timeOf(archive.completedAt),
        expires_time: timeOf(archive.expiresAt),
        sweep_time: timeOf(archive.sweepAt),
      }
    : null;

const withdrawalOf = (erasure: Facts['erasure']): State['withdrawal'] =>
  erasure
    ? {
        profiles: erasure.profiles ?? 0,
        passes: erasure.passes,
        is_claimed: erasure.isClaimed,
        due_time: timeOf(erasure.dueAt),
        tries: erasure.tries,
      }
    : null;
