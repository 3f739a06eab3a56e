import { badRequest, invalid } from '@opendsr-service/edge';
import type { CreateRequestDto, ExtensionDto } from './create-request.dto';
import { elementsOf, type Loose } from './loose';

/** `identities` counts all fields that may hold identities. */
export interface CreateLimits {
  readonly identities: number;
  readonly callbackUrls: number;
}

export const defaultCreateLimits: CreateLimits = { identities: 10_000, callbackUrls: 50 };

/** Throws a 400 for lists that are too long, before their elements are checked, since that would cost more. */
export function checkCounts(
  given: Loose<CreateRequestDto>,
  extension: Loose<ExtensionDto>,
  { limits, extensionKey }: { readonly limits: CreateLimits; readonly extensionKey: string },
): void {
  const own = `extensions.${extensionKey}`;
  const identities = [
    ['subject_identities', given.subject_identities],
    [`${own}.mpids`, extension.mpids],
    [`${own}.identities`, extension.identities],
  ] as const;
  const counts = identities.map(([path, list]) => ({ path, count: elementsOf(list).length, most: limits.identities }));
  const urls = {
    path: 'status_callback_urls',
    count: elementsOf(given.status_callback_urls).length,
    most: limits.callbackUrls,
  };
  const faults = [...counts, urls]
    .filter(({ count, most }) => count > most)
    .map(({ path, most }) => `${path} must contain no more than ${most} elements`);
  const isTooMuch = counts.reduce((sum, { count }) => sum + count, 0) > limits.identities;
  if (faults.length === 0 && isTooMuch)
    faults.push(`subject_identities and ${own} must contain no more than ${limits.identities} identities together`);
  if (faults.length > 0) throw badRequest(faults.map(invalid));
}
