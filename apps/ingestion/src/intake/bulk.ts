import { ApiError, badRequest, enoughFaults, invalid, namedFaults, type Fault } from '@opendsr-service/edge';
import { jsonElements } from '../json-elements';
import { readBatch, type Batch } from './batch';
import type { IntakeRules } from './rules';

export type BatchVerdict = Batch | { readonly faults: readonly Fault[] };

export const elementPath = (index: number): string => `[${index}]`;

/** Checks each batch on its own. Throws a 400 if the call as a whole is invalid. `body`: the bytes of `json`. */
export function checkBulk(
  json: unknown,
  body: Buffer,
  rules: Pick<IntakeRules, 'batchBytes' | 'batchesPerCall' | 'eventsPerBatch'>,
  now: Date,
): BatchVerdict[] {
  if (!Array.isArray(json)) throw badRequest([invalid('The body must be a JSON array.')]);
  if (json.length === 0) throw badRequest([invalid('The body must contain a batch.')]);
  if (json.length > rules.batchesPerCall)
    throw badRequest([invalid(`The body must contain at most ${rules.batchesPerCall} batches.`)]);
  let shownFaults = 0;
  return jsonElements(body).map((element, index) => {
    // One fault is enough to refuse a batch; the answer has room for a hundred.
    const mostFaults = Math.max(1, enoughFaults - shownFaults);
    const checked = checkBatch(
      { json: json[index] as unknown, body: element, at: elementPath(index), mostFaults },
      rules,
      now,
    );
    shownFaults += 'faults' in checked ? checked.faults.length : 0;
    return checked;
  });
}

function checkBatch(
  given: Parameters<typeof readBatch>[0],
  rules: Pick<IntakeRules, 'batchBytes' | 'eventsPerBatch'>,
  now: Date,
): BatchVerdict {
  if (given.body.length > rules.batchBytes)
    return { faults: [invalid(`${given.at} is larger than ${rules.batchBytes} bytes.`)] };
  try {
    return readBatch(given, rules, now);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { faults: error.faults };
  }
}

/** Names every refused batch, however many there are: its sender sends again only what is named. */
export function someRefused(refused: readonly (readonly Fault[])[], taken: number): ApiError {
  let room = Math.max(0, namedFaults - refused.length);
  const named = refused.flatMap((faults) => {
    const some = faults.slice(0, 1 + room);
    room -= some.length - 1;
    return some;
  });
  const more = named.length < refused.flat().length ? ['The batches that are named here have more faults.'] : [];
  const rest =
    taken === 0 ? 'No batch was taken.' : `The other ${taken === 1 ? 'batch was' : `${taken} batches were`} taken.`;
  const faults = [...named, ...[...more, `${rest} Send again only what is named here.`].map(invalid)];
  return new ApiError(400, faults, {}, faults.length);
}
