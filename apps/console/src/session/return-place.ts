const KEY = 'opendsr-console.return-to';
/** A path of this console: no other host and no other scheme can be written so. */
const OWN_PATH = /^\/(?![/\\])/;

/** Keeps the place of the viewer while the identity provider has the browser. */
export const keepPlace = (storage: Storage, path: string): void => storage.setItem(KEY, path);

/** The place that was kept, once. Anything but a path of the console is dropped. */
export function takePlace(storage: Storage): string | undefined {
  const path = storage.getItem(KEY);
  storage.removeItem(KEY);
  return path !== null && OWN_PATH.test(path) ? path : undefined;
}
