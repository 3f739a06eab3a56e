/**
 * By so much the start time of a process may differ between two lists: ps reckons it from the time of boot, in whole
 * seconds. No id is given again as fast.
 */
const WAVER_MS = 2_000;

/**
 * Brings `family`, the start times by process id, up to date with a list of all processes, `{ parent, begun }` by id.
 * Drops what has ended, also
 * where another process has its id by now, and adds what is left has started. A start time that is not known is taken from the list.
 */
export function update(family, processes) {
  for (const [pid, begun] of family) {
    const found = processes.get(pid);
    if (!found || Math.abs(found.begun - begun) > WAVER_MS) family.delete(pid);
    else family.set(pid, begun ?? found.begun);
  }
  // A child may have a smaller id than its parent.
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const [pid, { parent, begun }] of processes)
      if (family.has(parent) && !family.has(pid)) family.set(pid, begun);
  }
}
