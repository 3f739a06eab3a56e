/** `received`: the newest first. `due`: those that have not ended, the earliest legal date first. */
export const LIST_ORDERS = ['received', 'due'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];
