import { decoded } from './path-of';

export type Owns = (routePattern: string) => boolean;

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

/** A final `*` stands for the rest of a path. */
const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  (pattern.length === path.length || (pattern.at(-1) === '*' && pattern.length < path.length)) &&
  pattern.every((segment, at) => segment === '*' || segment.startsWith(':') || segment === path[at]);

/** The methods of each path, for 405 and `Allow`; Fastify's router does not list them. */
export class RouteMethods {
  private readonly routes: { url: string; pattern: string[]; methods: string[] }[] = [];

  add(methods: string | string[], url: string): void {
    this.routes.push({ url, pattern: segmentsOf(url), methods: [methods].flat() });
  }

  allowedAt(path: string, owns: Owns): string[] {
    const segments = segmentsOf(path).map((segment) => decoded(segment) ?? segment);
    const found = this.routes
      .filter((route) => (path === '*' || fits(route.pattern, segments)) && owns(route.url))
      .flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}
