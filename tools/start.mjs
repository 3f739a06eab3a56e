// `npm start`: builds the standalone service (cached by nx) and becomes it. Arguments after `--` go to the service.
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithNpm } from './guard.mjs';
import { hearSignalsOnce } from './signals.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules/.bin');

function build() {
  const env = { ...process.env, NX_TUI: 'false', PATH: `${bin}:${process.env.PATH}` };
  const { status, signal, stdout, stderr } = spawnSync(join(bin, 'nx'), ['run', '@opendsr-service/standalone:build'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (status === 0) return true;
  console.error(`${stdout}${stderr}\nThe service could not be built; what went wrong is above.`);
  process.exitCode = signal ? 130 : 1;
  return false;
}

endWithNpm();
if (build()) {
  hearSignalsOnce();
  const main = join(root, 'apps/standalone/dist/main.mjs');
  process.setSourceMapsEnabled(true);
  enableCompileCache(join(root, 'node_modules/.cache/compiled'));
  process.argv = [process.argv[0], main, ...process.argv.slice(2)];
  await import(pathToFileURL(main).href);
}
