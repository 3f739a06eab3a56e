import type { Place } from './places';

/** What one operator does at one place. */
export type Change = (place: Place) => void;
