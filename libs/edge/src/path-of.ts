const origin = /^https?:\/\/[^/?#]*/i;

/** Proxies may send the whole URL. */
export const pathOf = (url = ''): string => url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';

export function isDecodable(text = ''): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const decoded = (path: string): string => (isDecodable(path) ? decodeURIComponent(path) : path);
