/**
 * Zones in which no name is public: set apart (RFC 3172, 6761, 6762, 7686, 8375, 9476, and `internal` by ICANN), or in
 * use inside of networks and clusters.
 * `example` is set apart as well, and taken: the documents of controllers use it, and DNS knows none of its names.
 */
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
/** RFC 1123, 2.1: letters, digits and hyphens, none of these at an end, at most 63. Names in other scripts come as `xn--` labels. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether a host name can be one of the public internet: labels of RFC 1123, two at least, the last one neither a
 * number nor a local zone. Lower case, without
 * the dot that ends a fully qualified name; addresses are no names.
 */
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
