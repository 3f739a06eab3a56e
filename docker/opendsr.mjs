import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cacheOf, compile } from './bundle.mjs';

// What a container of the image runs: the first argument names the app, the others are the app's own.
const apps = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion', 'standalone', 'dsr'];

// The first process of a container gets no default action of a signal: until an app has a handler of its own, a stop would be lost.
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(1);
  });
}

const readIfThere = (file) => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

// Files of the bundle load each other by this, too.
Module._extensions['.cjs'] = (module, file) => {
  const run = compile(file, readIfThere(cacheOf(file))).runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
};

const [name] = process.argv.splice(2, 1);
if (apps.includes(name)) {
  createRequire(import.meta.url)(`./${name}.cjs`);
} else {
  process.stderr.write(`opendsr: the first argument names the app to run, one of ${apps.join(', ')}\n`);
  process.exitCode = 1;
}
