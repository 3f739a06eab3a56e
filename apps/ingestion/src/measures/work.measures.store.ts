import { earliestDate } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';

/** By each kind of work, when that was due which has been the longest. The stores have declared the models. */
export const overdueIn = (connection: Connection) => ({
  erasures: (now: Date) => earliestDate(connection.model('Erasure'), 'dueSince', now, 'dueAt'),
});
