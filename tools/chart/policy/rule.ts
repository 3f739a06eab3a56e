import type { Manifest } from '../manifest';

/** A rule for every render. Returns one line for each fault, which starts with the object. */
export type Rule = (objects: readonly Manifest[]) => string[];
