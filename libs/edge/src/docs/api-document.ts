/** An OpenAPI document, served at `/openapi/<name>.json`. */
export interface ApiDocument {
  readonly name: string;
  readonly title: string;
  readonly document: object;
}

/** Route patterns of the documents and their page, which need no credentials. */
export const DOCS_ROUTES = ['/docs', '/docs/:file', '/openapi/:file'] as const;
