import { spawn } from 'node:child_process';
import { channel, subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';

const guarded = channel('opendsr-service:guarded');

/**
 * From now on all processes that this one starts end with it, however it ends: another process learns their ids
 * through a pipe, and once that
 * closes it asks those that are left to stop, and ends them after `graceMs`, with all that they have started. `root` is the repository's.
 */
export function guardChildren(root, graceMs = 10_000) {
  if (guarded.hasSubscribers) return;
  guarded.subscribe((folder) => send(`=${folder}`));
  let guard;
  let isStarting = false;
  const send = (word) => {
    if (!guard) {
      isStarting = true;
      guard = startGuard([join(root, 'tools/end-orphans.mjs'), String(graceMs)]);
      isStarting = false;
    }
    // If the other process is gone, nothing guards the children, but that is no failure.
    if (guard.stdin.writable) guard.stdin.write(`${word}\n`);
  };
  subscribe('child_process', ({ process: child }) => {
    if (isStarting) return;
    onceItHasAnId(child, (pid) => {
      send(`+${pid}`);
      child.once('exit', () => send(`-${pid}`));
    });
  });
}

/** A folder that is removed when this process has ended, however it ends, and after it all that it started. */
export const leaveToGuard = (folder) => guarded.publish(folder);

/** At once, because the event `spawn` comes later. A program that cannot start has no id. */
function onceItHasAnId(child, hear) {
  Object.defineProperty(child, 'pid', {
    configurable: true,
    enumerable: true,
    get: () => undefined,
    set: (pid) => {
      Object.defineProperty(child, 'pid', { configurable: true, enumerable: true, writable: true, value: pid });
      if (pid !== undefined) hear(pid);
    },
  });
}

/** In its own session, so that terminal signals do not reach it. It keeps no process alive and no output open. */
function startGuard(args) {
  const child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.unref();
  child.unref();
  return child;
}

const LOOK_MS = 500;

/** A tool that npm runs ends with npm, also after a kill of npm. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const looks = setInterval(() => {
    if (process.ppid === npm) return;
    // One signal: a second would break off the stop that the first began.
    clearInterval(looks);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS).unref();
}
