import type { EdgeAdapter } from '@opendsr-service/edge';

const EXPORTS_PATH = '/internal/exports';
/** A create of 256 KiB may be identities almost alone, and a seal is a third longer. */
const BODY_BYTES = 1_048_576;
/** An order is an object of texts. */
const DEPTH = 1;

/** Lets an order be longer than what the public may send, but no deeper than it is. Call it before the routes are made. */
export function admitLongOrders(adapter: EdgeAdapter): void {
  adapter.getInstance().addHook('onRoute', (route) => {
    if (route.url !== EXPORTS_PATH) return;
    route.bodyLimit = BODY_BYTES;
    route.config = { ...route.config, jsonDepth: DEPTH };
  });
}
