import type { Manifest } from '../manifest';

/** Something that every render holds to. Says what does not, one line a fault, each beginning with the object. */
export type Rule = (objects: readonly Manifest[]) => string[];
