const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((segment, at) => segment.startsWith(':') || segment === path[at]);

/** Knows which methods an address takes, so that the wrong one is answered with 405 and `Allow`. Fastify's router does not tell. */
export class RouteMethods {
  private readonly routes: { pattern: string[]; methods: string[] }[] = [];

  add(methods: string | string[], url: string): void {
    this.routes.push({ pattern: segmentsOf(url), methods: [methods].flat() });
  }

  /** Every method of the routes that match the path of a URL, sorted; empty where there is none. */
  of(path: string): string[] {
    const segments = segmentsOf(path);
    const found = this.routes.filter((route) => fits(route.pattern, segments)).flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}
