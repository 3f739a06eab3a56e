import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import { factsOf } from './request-facts.store';

type Facts = NonNullable<Awaited<ReturnType<typeof factsOf>>>;
type State = RequestState<'results'>;

/** What the operator's API shows of a request; undefined: this service takes no part in it. */
export async function requestStateOf(connection: Connection, ws: string, srid: string): Promise<State | undefined> {
  const facts = await factsOf(connection, ws, srid);
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
