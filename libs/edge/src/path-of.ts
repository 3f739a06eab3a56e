const origin = /^https?:\/\/[^/?#]*/i;

/** The path that a request names, as the router reads it: proxies may name the whole address. */
export const pathOf = (url = ''): string => url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';

/** What a path or a part of it says, however it is spelled; as it stands where it cannot be decoded. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
