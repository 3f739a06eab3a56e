import { V2, type RequestStatus } from '@opendsr-service/contracts';
import { until } from '../../receiver/until';
import { raw, requestBody } from '../controller';
import { DeliveryLedger, type Faults } from '../deaths/delivery-ledger';
import { awaitResult, followEnds, isEnd } from '../follow';
import type { Callers } from './callers';
import type { Load, Visitor } from './load';
import type { Life } from './lives';

/** The faults at the end; every list is empty without faults. */
export interface Settled {
  /** Requests that did not end as their answers promised. */
  readonly brokenPromises: readonly string[];
  readonly callbacks: Faults;
  /** Batches that were answered with 202, and are in no archive. */
  readonly missing: readonly string[];
  readonly heard: { readonly callbacks: number; readonly repeats: number };
}

/**
 * Waits until every request has ended with its callbacks and every batch is in an archive, at most `limitMs` for each.
 * What has not is among the faults.
 */
export async function settle(load: Load, limitMs: number): Promise<Settled> {
  const { lives, visitors } = load;
  const ends = await followEnds(
    load.callerOf(0, V2),
    lives.map(({ id }) => id),
    limitMs,
  );
  const endOf = ({ id }: Life) => ends.get(id) ?? 'pending';
  // The ledger shows missing callbacks, with all other faults.
  await until(
    'every callback',
    () => lives.every((life) => life.heard.findLast(({ isAccepted }) => isAccepted)?.status === endOf(life)),
    limitMs,
  ).catch(() => undefined);
  const ledger = new DeliveryLedger(new Map(lives.map((life) => [life.id, statusesUntil(endOf(life))])));
  for (const { id, heard } of lives) for (const one of heard) ledger.note(id, one);
  const missing = await Promise.all(visitors.map((visitor) => missingOf(load, visitor, limitMs)));
  return {
    brokenPromises: lives
      .filter((life) => !isEnd(endOf(life)) || (life.promised ?? endOf(life)) !== endOf(life))
      .map((life) => `${life.promised ?? 'an end'} was promised, not ${endOf(life)}`),
    callbacks: ledger.faults(),
    missing: missing.flat(),
    heard: { callbacks: ledger.accepted, repeats: ledger.repeats },
  };
}

const statusesUntil = (end: RequestStatus): RequestStatus[] =>
  end === 'cancelled' ? ['pending', 'cancelled'] : ['pending', 'in_progress', 'completed'];

/** Requests archives of a visitor until all events are there: batches reach archives a moment after their 202. */
async function missingOf(callers: Callers, { email, taken }: Visitor, limitMs: number): Promise<string[]> {
  let missing: string[] = [];
  const ask = async () => {
    const body = requestBody({ subject_identities: [raw('email', email)] });
    const controller = callers.callerOf(0, V2);
    const { status } = await controller.create(body);
    if (status !== 201) throw new Error(`an access was answered with ${String(status)}`);
    const { archive } = await awaitResult(controller, body.subject_request_id);
    const events = [...(archive ?? [])]
      .filter(([file]) => file.startsWith('events-'))
      .map(([, bytes]) => bytes.toString())
      .join('\n');
    missing = taken.map((n) => `visit-${String(n)}`).filter((name) => !events.includes(`"${name}"`));
    return missing.length === 0;
  };
  await until('every batch of a visitor', ask, limitMs).catch((error: unknown) => {
    if (missing.length === 0) throw error;
  });
  return missing;
}
