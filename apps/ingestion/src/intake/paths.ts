const EVENTS = /^\/v2\/events\/*$/;
/** In a path or in the pattern of a route, where the mpid is a parameter. Version 1 of the DSR interface has the same root. */
const INGEST =
  /^\/(?:v1\/(?:identify|login|logout|search|(?!opengdpr_requests\/|results\/)[^/]+\/modify)|v2\/(?:events|bulkevents))\/*$/;
const OPEN_TO_KEY_ALONE = /^\/(?:v1\/(?:identify|login|logout|[^/]+\/modify)|v2\/(?:events|bulkevents))\/*$/;

/** Whether a path is one of the ingestion endpoints, which take their own credentials and answer errors in their own body. */
export const isIngestPath = (path: string): boolean => INGEST.test(path);

/** Whether the key alone opens a path, which everybody who visits a page can read: all but the search, which tells of others. */
export const isOpenToKeyAlone = (path: string): boolean => OPEN_TO_KEY_ALONE.test(path);

/** Whether a call to this path is one batch as a whole. */
export const isSingleBatchPath = (path: string): boolean => EVENTS.test(path);
