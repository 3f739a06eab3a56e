const repeatWindowMs = 1_000;

/**
 * A terminal sends Ctrl-C to npm and to the process that npm runs, and npm then sends it on to that process again. The service
 * must hear it once: a second one may mean "now, at once" to it. So the same signal is passed on at most once a second.
 */
export function hearSignalsOnce() {
  const emit = process.emit;
  const heard = new Set();
  process.emit = (name, ...rest) => {
    if (name !== 'SIGINT' && name !== 'SIGTERM') return emit.call(process, name, ...rest);
    if (heard.has(name)) return true;
    // Without a listener left, a repeat would kill the process while it is stopping.
    const hold = () => {};
    heard.add(name);
    process.on(name, hold);
    setTimeout(() => {
      heard.delete(name);
      process.removeListener(name, hold);
    }, repeatWindowMs).unref();
    return emit.call(process, name, ...rest);
  };
}
