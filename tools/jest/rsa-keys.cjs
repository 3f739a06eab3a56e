// RSA keys for specs. To make one takes a tenth of a CPU second, and specs ask for hundreds. A process makes as many as its most
// demanding file asks for, and each file gets them from the first on: no key comes twice in a file.

/** `generate`: the real one of WebCrypto, which makes all other keys, too. */
function sharedKeys(generate) {
  const made = new Map();
  const given = new Map();

  function generateKey(algorithm, ...more) {
    if (!algorithm?.name?.startsWith('RSA')) return Reflect.apply(generate, this, [algorithm, ...more]);
    const kind = JSON.stringify([algorithm, ...more]);
    const place = given.get(kind) ?? 0;
    given.set(kind, place + 1);
    const keys = made.get(kind) ?? [];
    made.set(kind, keys);
    return (keys[place] ??= Reflect.apply(generate, this, [algorithm, ...more]));
  }

  return { generateKey, startFile: () => given.clear() };
}

module.exports = { sharedKeys };
