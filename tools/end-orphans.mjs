// Started by guard.mjs: hears which processes its parent starts (`+pid`) and which have ended (`-pid`), and ends what
// is left once the parent is gone. Then it removes the folders that were left to it (`=folder`).
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { update } from './family.mjs';

/** So long a process may take to stop by itself: servers remove their folders. */
const graceMs = Number(process.argv[2]);
const LOOK_MS = 100;

// The parent reports the end of each child while it lives, so a reported id belongs to its child in the next list. From
// then on id and start time together name a process, because an id may be used again.
const family = new Map();
const folders = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('=')) {
    folders.push(line.slice(1));
    continue;
  }
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) family.set(pid, undefined);
  else family.delete(pid);
}

const named = new Set(family.keys());
update(family, processes());
// First those that were named: what they have started is theirs to end, as long as they are there.
await ask([...family.keys()].filter((pid) => named.has(pid)));
await ask([...family.keys()].filter((pid) => !named.has(pid)));
for (const pid of family.keys()) signal(pid, 'SIGKILL');
// What was ended by force may still write for a moment.
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: LOOK_MS });

/** Asks each to stop, once, and waits for that as long as it may take. The family is up to date afterwards. */
async function ask(pids) {
  for (const pid of pids) signal(pid, 'SIGTERM');
  const until = performance.now() + graceMs;
  while (pids.some((pid) => family.has(pid)) && performance.now() < until) {
    await delay(LOOK_MS);
    update(family, processes());
  }
}

/** Answers whether there is such a process. */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Every process with its parent and its start time, without zombies. Without `ps` only the reported processes are
 * ended.
 */
function processes() {
  try {
    const columns = ['pid=', 'ppid=', 'stat=', 'lstart='].flatMap((column) => ['-o', column]);
    const lines = execFileSync('ps', ['-A', ...columns], { encoding: 'utf8', env: { PATH: '/bin:/usr/bin' } })
      .trim()
      .split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, , state]) => !state.startsWith('Z'));
    return new Map(
      rows.map(([pid, parent, , ...begun]) => [
        Number(pid),
        { parent: Number(parent), begun: Date.parse(begun.join(' ')) },
      ]),
    );
  } catch {
    return new Map([...family.keys()].filter((pid) => signal(pid, 0)).map((pid) => [pid, {}]));
  }
}
