import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { goldenFile, GOLDENS, goldenText, renderGolden } from './goldens';
import { findHelm, Helm } from './helm';

// Renders the chart with the value files of ci/ and says what differs from the kept renders; `--write` keeps the new ones.
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const program = findHelm(process.env);
if (program === undefined) throw new Error('there is no helm: name one in DSR_TEST_HELM');
const helm = new Helm(program);

for (const golden of GOLDENS) {
  const outcome = renderGolden(helm, golden);
  if (!outcome.ok) throw new Error(`${golden}: ${outcome.message}`);
  const same = outcome.text === goldenText(golden);
  if (!same && values.write) {
    mkdirSync(dirname(goldenFile(golden)), { recursive: true });
    writeFileSync(goldenFile(golden), outcome.text);
  }
  console.log(`${golden}: ${same ? 'as it is kept' : values.write ? 'written' : 'differs; --write keeps the new one'}`);
  if (!same && !values.write) process.exitCode = 1;
}
