// `node tools/run.mjs libs/contracts/src/testing/record.ts` records additions to messages: a changed shape gets a new file in
// golden/schemas, a new file gets a line in the manifest. Recorded files never change; other changes are refused.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refusals } from './additive';
import { fileOf, Goldens, MANIFEST } from './goldens';
import { obstacles } from './passable';
import { shapeOf, TOPIC_NAMES } from './today';

const goldens = new Goldens(resolve('libs/contracts/src/golden'));
for (const topic of TOPIC_NAMES) {
  const recorded = goldens.shapes(topic);
  const shape = `${JSON.stringify(shapeOf(topic), null, 2)}\n`;
  const last = recorded.at(-1);
  if (last && shape === `${JSON.stringify(last, null, 2)}\n`) continue;
  const refused = [...(last ? refusals(last, shapeOf(topic)) : []), ...obstacles(topic, shapeOf(topic).types)];
  if (refused.length > 0) throw new Error(`${topic} is no addition to what was written: ${refused.join('; ')}`);
  writeFileSync(join(goldens.folder, goldens.shapeFile(topic, recorded.length + 1)), shape);
}
const known = new Set(goldens.manifest());
const names = new Set([...known].map(fileOf));
const added = goldens.lines().filter((line) => !known.has(line));
const changed = added.map(fileOf).filter((file) => names.has(file));
if (changed.length > 0) throw new Error(`recorded for ever, but changed: ${changed.join(', ')}`);
appendFileSync(join(goldens.folder, MANIFEST), added.map((line) => `${line}\n`).join(''));
console.log(added.join('\n'));
