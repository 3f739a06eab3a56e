// What a container of the image runs: the first argument names the app, the others are the app's own.
const apps = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion', 'standalone', 'dsr'];

// The first process of a container gets no default action of a signal: until an app has a handler of its own, a stop would be lost.
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(1);
  });
}

const [name] = process.argv.splice(2, 1);
if (apps.includes(name)) {
  await import(`./${name}.mjs`);
} else {
  process.stderr.write(`opendsr: the first argument names the app to run, one of ${apps.join(', ')}\n`);
  process.exitCode = 1;
}
