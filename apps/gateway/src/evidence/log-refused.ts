/**
 * `behind`: the store and the log lack leaves of the newest checkpoint. `forked`: the leaves have another root than it, or one
 * size has two. `unreadable`: what was kept is no checkpoint.
 */
type LogRefusal = 'behind' | 'forked' | 'unreadable';

export const LOG_REFUSALS: readonly LogRefusal[] = ['behind', 'forked', 'unreadable'];

/** The transparency log signs nothing, because it would sign a second history (docker/RUNBOOK.md). */
export class LogRefused extends Error {
  override readonly name = 'LogRefused';

  constructor(readonly reason: LogRefusal) {
    super(`the transparency log signs nothing: its leaves do not continue the newest checkpoint (${reason})`);
  }
}
