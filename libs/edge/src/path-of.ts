const origin = /^https?:\/\/[^/?#]*/i;

/** Proxies may send the whole URL. */
export const pathOf = (url = ''): string => url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';

export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
