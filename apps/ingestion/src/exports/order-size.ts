import type { EdgeAdapter } from '@opendsr-service/edge';

const EXPORTS_PATH = '/internal/exports';
/** A create of 256 KiB may consist of identities, and a seal is a third longer. */
const BODY_BYTES = 1_048_576;
const DEPTH = 1;

/** Allows a longer but shallower body than public routes. Call it before the routes are registered. */
export function admitLongOrders(adapter: EdgeAdapter): void {
  adapter.getInstance().addHook('onRoute', (route) => {
    if (route.url !== EXPORTS_PATH) return;
    route.bodyLimit = BODY_BYTES;
    route.config = { ...route.config, jsonDepth: DEPTH };
  });
}
