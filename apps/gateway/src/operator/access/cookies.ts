/** `__Host-`: browsers take it only with `Secure`, for this very host and all of its paths. */
export const SESSION_COOKIE = '__Host-opendsr-operator';
export const SIGN_IN_COOKIE = '__Host-opendsr-sign-in';

/** The value of a cookie; undefined where it is missing, or sent twice. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

interface Cookie {
  readonly value: string;
  readonly maxAgeMs: number;
  /** `Lax` only where the browser must send it on its way back from the identity provider. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** The header `Set-Cookie`. Lives no longer than its session. */
export const setCookie = (name: string, { value, maxAgeMs, sameSite }: Cookie): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAgeMs / 1_000)}; Secure; HttpOnly; SameSite=${sameSite}`;

export const removedCookie = (name: string): string => setCookie(name, { value: '', maxAgeMs: 0, sameSite: 'Strict' });
