// Started by guard.mjs: hears which processes its parent starts (`+pid`) and which have ended (`-pid`), and ends what is left once the parent is gone.
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** So long a process may take to stop by itself: servers remove their folders. */
const graceMs = Number(process.argv[2]);
const LOOK_MS = 100;

const started = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) started.add(pid);
  else started.delete(pid);
}

const family = withDescendants(started);
const until = performance.now() + graceMs;
// First those that were named: what they have started is theirs to end, as long as they are there.
for (const asked of [started, family]) {
  for (const pid of asked) signal(pid, 'SIGTERM');
  while ([...asked].some((pid) => signal(pid, 0)) && performance.now() < until) await delay(LOOK_MS);
}
for (const pid of withDescendants(family)) signal(pid, 'SIGKILL');

/** Answers whether there is such a process. */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** With all that they have started, and so on. */
function withDescendants(pids) {
  const all = new Set(pids);
  const parents = processes();
  // A child may have a smaller id than its parent.
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const [pid, parent] of parents) if (all.has(parent)) all.add(pid);
  }
  return all;
}

/** Every process with its parent. Without `ps` nobody knows, and only those that were named are ended. */
function processes() {
  try {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', env: { PATH: '/bin:/usr/bin' } }).trim().split('\n');
    return lines.map((line) => line.trim().split(/\s+/).map(Number));
  } catch {
    return [];
  }
}
