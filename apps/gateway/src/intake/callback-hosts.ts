import { badRequest, invalid, REFUSED_HOST, type RefusesNames } from '@opendsr-service/edge';
import type { CreateRequestDto } from './create-request.dto';
import { elementsOf, fieldsOf } from './loose';

/**
 * Throws a 400 ApiError where callback hosts resolve to refused addresses (protocol, "status_callback_urls").
 * Call it after `readIntake`, so that only valid URLs are looked up.
 */
export async function checkCallbackHosts(json: unknown, refusesNames: RefusesNames | undefined): Promise<void> {
  const urls = elementsOf(fieldsOf<CreateRequestDto>(json)?.status_callback_urls).map(String);
  const refused = await refusesNames?.(urls);
  const faults = urls.flatMap((_url, n) =>
    refused?.[n] ? [invalid(`status_callback_urls[${n}] ${REFUSED_HOST}`)] : [],
  );
  if (faults.length > 0) throw badRequest(faults);
}
