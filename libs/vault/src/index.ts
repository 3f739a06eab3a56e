export { AgedCache, type CacheLimits } from './aged-cache';
export type { BlindIndex } from './blind-index';
export type { DataKey, SealPlace } from './data-key';
export type { KeyScope } from './data-keys.store';
export { LinkKeys } from './link-keys';
export { LoadingCache } from './loading-cache';
export { ensureMasterKey, loadMasterKey } from './master-key';
export { KEY_CACHE_MS, Vault, type VaultOptions } from './vault';
export { VaultError, type VaultFault } from './vault-error';
