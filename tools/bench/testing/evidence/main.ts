// What evidence costs: `npm run bench:evidence -- life,log,rotation`. On embedded stores, and on a mongod where
// DSR_TEST_SERVERS names a folder that starts one. The event log is embedded in both. It asserts nothing.
import { parseArgs } from 'node:util';
import { measureLife } from './life';
import { measureLog } from './log';
import { withPlace, type Place } from './place';
import { measureRotation } from './rotation';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    leaves: { type: 'string', default: '1000000' },
    keys: { type: 'string', default: '20000' },
    lives: { type: 'string', default: '10000' },
  },
});
const [leaves, keys, lives] = [Number(values.leaves), Number(values.keys), Number(values.lives)];

/** How many lives end at the same time: of ten and of a hundred a second. */
const AT_ONCE = [10, 100];

const PARTS: Readonly<Record<string, readonly ((place: Place) => Promise<object>)[]>> = {
  life: AT_ONCE.map((atOnce) => (place) => measureLife(place, lives, atOnce)),
  log: [(place) => measureLog(place, leaves)],
  rotation: [(place) => measureRotation(place, keys)],
};

const { DSR_TEST_SERVERS: servers } = process.env;
const wanted = positionals[0]?.split(',') ?? Object.keys(PARTS);
for (const name of wanted) {
  if (!PARTS[name]) throw new Error(`of ${Object.keys(PARTS).join(',')}, between commas`);
  for (const store of servers === undefined ? [undefined] : [undefined, servers])
    for (const measure of PARTS[name])
      process.stdout.write(`${name} ${JSON.stringify(await withPlace(store, measure), undefined, 1)}\n`);
}
