import { notFound } from '@opendsr-service/edge';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a request as it is stored. What cannot be an id is unknown like any other: 404. */
export function requestId(raw: string): string {
  const id = raw.toLowerCase();
  if (!UUID.test(id)) throw notFound();
  return id;
}
