import type { paths } from './operator';

/** What a successful `GET` of a path answers. */
export type Answer<P extends keyof paths> = paths[P] extends {
  readonly get: {
    readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer A } } };
  };
}
  ? A
  : never;
