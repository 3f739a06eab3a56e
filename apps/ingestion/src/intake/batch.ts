import { isWellFormed, parseMpid, type Identity } from '@opendsr-service/contracts';
import { badRequest, invalid, validateBody } from '@opendsr-service/edge';
import { rankedIdentities, readIdentities } from '../identities/dialects';
import { faultsOf, fieldAt, noIdentityAt } from './check-body';
import { EventsDto } from './events.dto';
import type { IntakeRules } from './rules';

/** A sound batch: whom it names, and its bytes. */
export interface Batch {
  readonly mpid?: string;
  readonly ranked: readonly Identity[];
  /** What the caller calls it: a second one with the same is a repeat. */
  readonly sourceRequestId?: string;
  readonly body: Buffer;
}

/** A batch as it came. `at` is where it stands in the call, '' where it is the whole body. */
export interface GivenBatch {
  readonly json: unknown;
  readonly body: Buffer;
  readonly at: string;
}

/** Checks a batch (interface.md, "Events"). Throws a 400 that names every fault. */
export function readBatch({ json, body, at }: GivenBatch, rules: Pick<IntakeRules, 'eventsPerBatch'>, now: Date): Batch {
  const batch = validateBody(EventsDto, json, at);
  const ranked = rankedIdentities(readIdentities(batch));
  const mpid = parseMpid(batch.mpid);
  const faults = [...faultsOf(batch, now, at), ...batchFaults(batch, rules, at)];
  if (mpid === undefined && ranked.length === 0 && faults.length === 0) faults.push(noIdentityAt(at));
  if (faults.length > 0) throw badRequest(faults.map(invalid));
  return { ranked, body, ...(mpid !== undefined && { mpid }), ...(batch.source_request_id && { sourceRequestId: batch.source_request_id }) };
}

function batchFaults({ events, mpid, source_request_id }: EventsDto, { eventsPerBatch }: Pick<IntakeRules, 'eventsPerBatch'>, at: string): string[] {
  const faults: string[] = [];
  if (events.length > eventsPerBatch) faults.push(`${fieldAt(at, 'events')} holds more than ${eventsPerBatch} events.`);
  if (source_request_id && !isWellFormed(source_request_id)) faults.push(`${fieldAt(at, 'source_request_id')} is not Unicode.`);
  const isNamed = mpid !== undefined && mpid !== null;
  if (isNamed && parseMpid(mpid) === undefined) faults.push(`${fieldAt(at, 'mpid')} must be a signed 64-bit integer.`);
  return faults;
}
