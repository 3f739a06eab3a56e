import { isWellFormed, namesNobody, parseMpid, type Identity } from '@opendsr-service/contracts';
import { badRequest, invalid, isObject, validateBody } from '@opendsr-service/edge';
import { rankedIdentities, readIdentities } from '../identities/dialects';
import { faultsOf, fieldAt, noIdentityAt, refuseFaults } from './check-body';
import { EventsDto } from './events.dto';
import type { IntakeRules } from './rules';

export interface Batch {
  readonly mpid?: string;
  readonly ranked: readonly Identity[];
  /** The caller's id. A second batch with the same id is a repeat. */
  readonly sourceRequestId?: string;
  readonly body: Buffer;
}

/** `at` is the path of the batch in the call, '' for the whole body. */
interface GivenBatch {
  readonly json: unknown;
  readonly body: Buffer;
  readonly at: string;
  readonly mostFaults?: number;
}

/** Checks a batch (protocol, "Events endpoint"). Throws a 400 that names all faults, or only the excess of events. */
export function readBatch(
  { json, body, at, mostFaults }: GivenBatch,
  rules: Pick<IntakeRules, 'eventsPerBatch'>,
  now: Date,
): Batch {
  refuseTooMany(json, rules, at);
  const batch = validateBody(EventsDto, json, at, mostFaults);
  refuseFaults([...faultsOf(batch, now, at), ...batchFaults(batch, at)]);
  const ranked = rankedIdentities(readIdentities(batch));
  const mpid = mpidOf(batch);
  refuseFaults(mpid === undefined && ranked.length === 0 ? [noIdentityAt(at)] : []);
  return {
    ranked,
    body,
    ...(mpid !== undefined && { mpid }),
    ...(batch.source_request_id && { sourceRequestId: batch.source_request_id }),
  };
}

/** 0 is the mpid of SDKs that know no user yet. */
function mpidOf({ mpid }: EventsDto): string | undefined {
  const value = parseMpid(mpid);
  return value === undefined || namesNobody('mpid', value) ? undefined : value;
}

function refuseTooMany(json: unknown, { eventsPerBatch }: Pick<IntakeRules, 'eventsPerBatch'>, at: string): void {
  const events: unknown = isObject(json) ? Reflect.get(json, 'events') : undefined;
  if (Array.isArray(events) && events.length > eventsPerBatch)
    throw badRequest([invalid(`${fieldAt(at, 'events')} holds more than ${eventsPerBatch} events.`)]);
}

function batchFaults({ mpid, source_request_id }: EventsDto, at: string): string[] {
  const faults: string[] = [];
  if (source_request_id && !isWellFormed(source_request_id))
    faults.push(`${fieldAt(at, 'source_request_id')} is not Unicode.`);
  const isNamed = mpid !== undefined && mpid !== null;
  if (isNamed && parseMpid(mpid) === undefined) faults.push(`${fieldAt(at, 'mpid')} must be a signed 64-bit integer.`);
  return faults;
}
