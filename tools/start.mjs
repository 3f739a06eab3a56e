// `npm start`: builds the standalone service (cached by nx) and becomes it. Everything after `--` is the service's.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules/.bin');

function build() {
  const env = { ...process.env, NX_TUI: 'false', PATH: `${bin}:${process.env.PATH}` };
  const { status, signal, stdout, stderr } = spawnSync(join(bin, 'nx'), ['run', '@opendsr-service/standalone:build'], { cwd: root, env, encoding: 'utf8' });
  if (status === 0) return true;
  console.error(`${stdout}${stderr}\nThe service could not be built; what went wrong is above.`);
  process.exitCode = signal ? 130 : 1;
  return false;
}

/**
 * A terminal sends Ctrl-C to npm and to this process, and npm then sends it on to this process again. The service must hear it
 * once: a second one may mean "now, at once" to it. So the same signal is passed on at most once a second.
 */
function hearSignalsOnce() {
  const emit = process.emit;
  const heard = new Map();
  process.emit = (name, ...rest) => {
    if (name !== 'SIGINT' && name !== 'SIGTERM') return emit.call(process, name, ...rest);
    if (heard.has(name)) return true;
    // Without a listener left, a repeat would kill the process while it is stopping.
    const hold = () => {};
    heard.set(name, hold);
    process.on(name, hold);
    setTimeout(() => {
      heard.delete(name);
      process.removeListener(name, hold);
    }, 1_000).unref();
    return emit.call(process, name, ...rest);
  };
}

if (build()) {
  hearSignalsOnce();
  const main = join(root, 'apps/standalone/dist/main.mjs');
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], main, ...process.argv.slice(2)];
  await import(pathToFileURL(main).href);
}
