/** An OpenAPI document that a service offers beside its routes. */
export interface ApiDocument {
  /** Its address is `/openapi/<name>.json`. */
  readonly name: string;
  /** What the page calls it. */
  readonly title: string;
  readonly document: object;
}

/** The patterns of the routes that the documents and their page take. They ask for no credentials, so they are limited by source. */
export const DOCS_ROUTES = ['/docs', '/docs/:file', '/openapi/:file'] as const;
