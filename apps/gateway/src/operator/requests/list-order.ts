/**
 * `received`: the newest first. `due`: those that have not ended, the earliest legal date first. `ended`: those that have,
 * the last one first.
 */
export const LIST_ORDERS = ['received', 'due', 'ended'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];
