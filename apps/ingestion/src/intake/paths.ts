const EVENTS = /^\/v2\/events\/*$/;
/** Matches paths and route patterns. Version 1 of the DSR interface has the same root. */
const INGEST =
  /^\/(?:v1\/(?:identify|login|logout|search|(?!opengdpr_requests\/|results\/)[^/]+\/modify)|v2\/(?:events|bulkevents))\/*$/;
const OPEN_TO_KEY_ALONE = /^\/(?:v1\/(?:identify|login|logout|[^/]+\/modify)|v2\/(?:events|bulkevents))\/*$/;

/** The ingestion endpoints have their own credentials and error body. */
export const isIngestPath = (path: string): boolean => INGEST.test(path);

/** All but search, which reveals data of others. */
export const isOpenToKeyAlone = (path: string): boolean => OPEN_TO_KEY_ALONE.test(path);

export const isSingleBatchPath = (path: string): boolean => EVENTS.test(path);
