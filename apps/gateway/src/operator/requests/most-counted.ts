import { count } from '@opendsr-service/operator-answers';

/** Counts of operators' answers stop here. */
export const MOST_COUNTED = 10_000;

/** The schema of a count that stops there. */
export const boundedCount = (description: string) => ({ ...count(description), maximum: MOST_COUNTED }) as const;
