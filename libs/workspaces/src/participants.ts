import type { RequestType } from '@opendsr-service/contracts';

/** The services of our own that take part in each type (D8): a request completes when all of them have reported. */
const BUILT_IN: Readonly<Record<RequestType, readonly string[]>> = {
  access: ['results'],
  portability: ['results'],
  erasure: ['ingestion'],
};

export function builtInParticipants(type: RequestType): string[] {
  return [...BUILT_IN[type]];
}
