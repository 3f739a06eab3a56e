import { RequestMethod, type Type } from '@nestjs/common';

// Where Nest keeps what its decorators say; the names are those of '@nestjs/common/constants'.
const PATH = 'path';
const METHOD = 'method';

const pathsOf = (target: object): string[] => [Reflect.getMetadata(PATH, target) as string | string[]].flat();

/** Nest's `/v1/:mpid(^-?\d+$)/modify` as OpenAPI writes it: `/v1/{mpid}/modify`. */
const asTemplate = (path: string): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}');

/** The routes of a controller from its decorators: `GET /v2/requests/{srid}`. Empty for other classes. */
export function routesOf(controller: Type): string[] {
  const prototype = controller.prototype as Record<string, object>;
  const handlers = Object.getOwnPropertyNames(prototype)
    .map((name) => prototype[name] as object)
    .filter((handler) => Reflect.hasMetadata(METHOD, handler));
  return handlers.flatMap((handler) => {
    const method = RequestMethod[Reflect.getMetadata(METHOD, handler) as RequestMethod];
    return pathsOf(controller).flatMap((root) =>
      pathsOf(handler).map((path) => `${method} ${asTemplate(`${root}/${path}`)}`),
    );
  });
}
