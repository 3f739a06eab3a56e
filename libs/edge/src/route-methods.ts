import { decoded } from './path-of';

/** Whether a route belongs to a listener, told by its pattern. */
export type Owns = (routePattern: string) => boolean;

// One slash at the end makes no difference; any other empty segment is a segment.
const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((segment, at) => segment.startsWith(':') || segment === path[at]);

/** Knows which methods an address takes, so that the wrong one is answered with 405 and `Allow`. Fastify's router does not tell. */
export class RouteMethods {
  private readonly routes: { url: string; pattern: string[]; methods: string[] }[] = [];

  add(methods: string | string[], url: string): void {
    this.routes.push({ url, pattern: segmentsOf(url), methods: [methods].flat() });
  }

  /**
   * Every method of the routes of a listener that match the path of a URL, sorted; empty where there is none. `*` is
   * the listener as a whole.
   */
  of(path: string, owns: Owns): string[] {
    const segments = segmentsOf(path).map(decoded);
    const found = this.routes
      .filter((route) => (path === '*' || fits(route.pattern, segments)) && owns(route.url))
      .flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}
