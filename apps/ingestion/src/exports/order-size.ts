import type { EdgeAdapter } from '@opendsr-service/edge';

const EXPORTS_PATH = '/internal/exports';
/** A create of 256 KiB may be identities almost alone, and a seal is a third longer. */
const BODY_BYTES = 1_048_576;

/** Lets an order be longer than what the public may send. Call it before the routes are made. */
export function admitLongOrders(adapter: EdgeAdapter): void {
  adapter.getInstance().addHook('onRoute', (route) => {
    if (route.url === EXPORTS_PATH) route.bodyLimit = BODY_BYTES;
  });
}
