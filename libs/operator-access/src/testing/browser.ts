import { fetchTrusting } from '../fetch-trusting';

/** What a browser does of HTTP: it keeps cookies of each host, and follows redirects. */
export class Browser {
  private readonly fetch: typeof fetch;
  private readonly cookies = new Map<string, Map<string, string>>();

  /** `authorities`: whose certificates it takes too; PEM. */
  constructor(authorities: readonly string[] = []) {
    this.fetch = authorities.length === 0 ? fetch : fetchTrusting(authorities);
  }

  /** One call, without following a redirect. */
  async call(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const kept = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, kept);
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie !== '' && { cookie }) };
    const answer = await this.fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '' || /;\s*max-age=0/i.test(line)) kept.delete(name);
      else kept.set(name, value);
    }
    return answer;
  }

  /** Follows redirects until an address begins with `until`; that one is not called. */
  async followUntil(url: string, until: string): Promise<string> {
    let next = url;
    for (let hops = 0; hops < 20; hops += 1) {
      if (next.startsWith(until)) return next;
      const answer = await this.call(next);
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
      next = new URL(location, next).href;
    }
    throw new Error('too many redirects');
  }

  /** The cookies of a host. */
  of(url: string): ReadonlyMap<string, string> {
    return this.cookies.get(new URL(url).host) ?? new Map<string, string>();
  }

  /** Takes over a cookie, as a thief does. */
  set(url: string, name: string, value: string): void {
    const { host } = new URL(url);
    this.cookies.set(host, new Map([...(this.cookies.get(host) ?? []), [name, value]]));
  }
}
