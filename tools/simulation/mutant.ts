import type { WORLD_KINDS } from './scale';
import type { Patch } from './transform';

/** A fault that was planted into the sources: the simulation proves that it detects faults by finding each. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The rules that it is to break, at least one of them: a fault that merely throws proves nothing. */
  readonly breaks: readonly string[];
  /** The only worlds that show it: with crowded groups, with stalling stores, or with generations that end. */
  readonly needs?: keyof typeof WORLD_KINDS;
}
