/** Reserved zones (RFC 3172, 6761, 6762, 7686, 8375, 9476) and common local ones. Without `example`, which documents of controllers use. */
const LOCAL_ZONES: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'mail',
  'localdomain',
  'svc',
  'pod',
  'arpa',
  'test',
  'invalid',
  'onion',
  'alt',
]);

const MAX_NAME_CHARS = 253;
/** RFC 1123, 2.1. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a host name can be public. Expects what `nameOf` returns. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.');
  const zone = labels.at(-1) ?? '';
  return (
    name.length <= MAX_NAME_CHARS &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(zone) &&
    !LOCAL_ZONES.has(zone)
  );
}
