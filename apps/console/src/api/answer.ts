import type { paths } from './operator';

/** What a successful `GET` of a path answers. */
export type Answer<P extends keyof paths> = paths[P] extends {
  readonly get: {
    readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer A } } };
  };
}
  ? A
  : never;

/** What a `GET` of a path may be asked with. The API judges the values of filters, and says what is wrong with one. */
export type Query<P extends keyof paths> = paths[P] extends {
  readonly get: { readonly parameters: { readonly query?: infer Q } };
}
  ? NonNullable<Q>
  : never;
