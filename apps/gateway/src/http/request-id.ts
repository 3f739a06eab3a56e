import { notFound } from '@opendsr-service/edge';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lower case. An invalid id is unknown: 404. */
export function requestId(raw: string): string {
  const id = raw.toLowerCase();
  if (!UUID.test(id)) throw notFound();
  return id;
}
