const origin = /^https?:\/\/[^/?#]*/i;

/** Proxies may send the whole URL. */
export const pathOf = (url = ''): string => url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';

/**
 * Undefined where it is not UTF-8 in percent-encoding. The result has to be used: the bundler drops a call of `decodeURIComponent`
 * whose result is not.
 */
export function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
