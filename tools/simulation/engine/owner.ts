import { AsyncLocalStorage } from 'node:async_hooks';

/** A process of the simulated world, as far as time and steps are concerned: what a dead one had begun never goes on. */
export interface Owner {
  readonly name: string;
  readonly isAlive: boolean;
}

const current = new AsyncLocalStorage<Owner>();

/** Whose code runs now. Undefined: that of the simulation itself. */
export const ownerNow = (): Owner | undefined => current.getStore();

/** Runs code, and all that it starts, as code of a process. */
export const asOwner = <T>(owner: Owner | undefined, run: () => T): T =>
  owner ? current.run(owner, run) : current.exit(run);
