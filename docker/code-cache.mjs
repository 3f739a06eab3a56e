// Makes the code cache of each file of the bundle in a folder, so that an app starts without parsing 12 MB (docs/images.md).
//   node docker/code-cache.mjs FOLDER
// The same files and the same Node give the same bytes: they follow from V8's seed of hashes, which is random in any other process.
// V8 asks for the flags of the process that made a cache, and the fixed seed is one. So the others' are written in its place.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { cacheOf, compile } from './bundle.mjs';

const FIXED_SEED = '--hash-seed=1';
/** Of the hash of V8's flags in the head of a cache. */
const [FLAGS_FROM, FLAGS_TO] = [12, 16];

const [folder, flags] = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.cjs'))
  .sort()
  .map((name) => join(folder, name));

if (flags) {
  for (const file of files) {
    // A cache holds the name, too: that which the file has in the image.
    const cache = compile(file, undefined, `/app/${basename(file)}`).createCachedData();
    Buffer.from(flags, 'hex').copy(cache, FLAGS_FROM);
    writeFileSync(cacheOf(file), cache);
  }
} else {
  const own = new Script('0').createCachedData().subarray(FLAGS_FROM, FLAGS_TO);
  const self = fileURLToPath(import.meta.url);
  // In the folder, because its name in the heap would change the bytes.
  const { status } = spawnSync(process.execPath, [FIXED_SEED, self, '.', own.toString('hex')], {
    cwd: folder,
    stdio: 'inherit',
  });
  const refused = files.filter((file) => status !== 0 || compile(file, readFileSync(cacheOf(file))).cachedDataRejected);
  if (refused.length > 0) throw new Error(`V8 does not take the code cache of ${refused.join(', ')}`);
}
