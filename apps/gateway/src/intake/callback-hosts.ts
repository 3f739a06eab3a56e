import { badRequest, invalid, REFUSED_HOST, type RefusesNames } from '@opendsr-service/edge';
import type { CreateRequestDto } from './create-request.dto';
import { elementsOf, fieldsOf } from './loose';

/**
 * Throws the 400 ApiError of refused hosts where names in the callback URLs have refused addresses (protocol-notes, `status_callback_urls`). Of a
 * body in which `readIntake` found no fault: its URLs are sound, and no look-up is made for what is refused anyway.
 */
export async function checkCallbackHosts(json: unknown, refusesNames: RefusesNames | undefined): Promise<void> {
  const urls = elementsOf(fieldsOf<CreateRequestDto>(json)?.status_callback_urls).map(String);
  const refused = await refusesNames?.(urls);
  const faults = urls.flatMap((_url, n) =>
    refused?.[n] ? [invalid(`status_callback_urls[${n}] ${REFUSED_HOST}`)] : [],
  );
  if (faults.length > 0) throw badRequest(faults);
}
