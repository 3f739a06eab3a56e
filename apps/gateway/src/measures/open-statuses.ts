/** The statuses of a request that has not ended. */
export const OPEN_STATUSES = ['pending', 'in_progress'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];
