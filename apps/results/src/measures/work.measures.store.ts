import { earliestDate } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';

/** The oldest overdue time of each kind of work. The stores have declared the models. */
export const overdueIn = (connection: Connection) => ({
  archives: (now: Date) => earliestDate(connection.collection('archives'), 'dueSince', now, 'dueAt'),
  'archive-erasures': (now: Date) => earliestDate(connection.collection('erasures'), 'dueSince', now, 'dueAt'),
  'archive-sweep': (now: Date) => earliestDate(connection.collection('archives'), 'sweepAt', now),
});
