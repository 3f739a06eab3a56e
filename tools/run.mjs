// Runs a TypeScript tool: `node tools/run.mjs tools/demo/demo.ts --args`.
// The workspace's packages are TypeScript sources with extensionless imports, which Node does not run by itself, so the tool
// is bundled (about a second) the way the apps are, into a folder of its own that lives as long as the process.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { endWithNpm, guardChildren } from './guard.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  console.error('usage: node tools/run.mjs <tool.ts> [arguments]');
  process.exit(2);
}
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `tools run on Node 24, this is ${process.version}: put ${join(root, 'node_modules/.bin')} first on PATH, or use the npm scripts`,
  );
  process.exit(2);
}

guardChildren(root);
endWithNpm();

// These load their own files at run time, so they stay packages. Optional peers that are not installed are never
// loaded.
const packages = /^(playwright-core|testcontainers|@testcontainers\/.+|rolldown|typescript)$/;
const bundle = await rolldown({
  input: resolve(entry),
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: packages,
  onLog: (level, log, next) => log.code === 'UNRESOLVED_IMPORT' || next(level, log),
});
// Inside node_modules, because external packages are resolved from the folder of the bundle.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'tool-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'tool.mjs');
await bundle.write({ file, format: 'esm', codeSplitting: false, keepNames: true, sourcemap: true });
await bundle.close();

process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], resolve(entry), ...args];
process.chdir(root);
await import(pathToFileURL(file).href);
