/** Whether a route belongs to a listener, told by its pattern. */
export type Owns = (routePattern: string) => boolean;

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((segment, at) => segment.startsWith(':') || segment === path[at]);

/** The router compares what a path says, not how it is spelled. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Knows which methods an address takes, so that the wrong one is answered with 405 and `Allow`. Fastify's router does not tell. */
export class RouteMethods {
  private readonly routes: { url: string; pattern: string[]; methods: string[] }[] = [];

  add(methods: string | string[], url: string): void {
    this.routes.push({ url, pattern: segmentsOf(url), methods: [methods].flat() });
  }

  /** Every method of the routes of a listener that match the path of a URL, sorted; empty where there is none. */
  of(path: string, owns: Owns): string[] {
    const segments = segmentsOf(path).map(decoded);
    const found = this.routes.filter((route) => fits(route.pattern, segments) && owns(route.url)).flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}
