/** Where a service keeps its documents, as libs/storage opens them. */
export type Stores = { readonly dataDir: string } | { readonly mongodbUri: string; readonly databasePrefix: string };
