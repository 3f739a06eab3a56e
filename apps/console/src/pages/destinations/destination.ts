import type { Answer } from '../../api/answer';

export type Destination = Answer<'/operator/v1/destinations'>['destinations'][number];
export type DestinationDetail = Answer<'/operator/v1/destinations/{ws}/{host}'>;
export type WaitingRequest = DestinationDetail['requests'][number];

export const STATE_LOOKS = { ok: 'success', failing: 'warning', paused: 'danger' } as const;

/** A count stops here. */
const MOST_COUNTED = 1_000;

export const isCountedOut = (waiting: number): boolean => waiting >= MOST_COUNTED;

/** The address of a destination below `/console`. */
export const destinationPath = ({ workspace, host }: Pick<Destination, 'workspace' | 'host'>): string =>
  `/destinations/${encodeURIComponent(workspace)}/${encodeURIComponent(host)}`;
