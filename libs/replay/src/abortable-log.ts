import type { EventLog } from '@opendsr-service/messaging';

/** A log that is read on only until the work is to end: then reading rejects with the reason. What was taken by then stays taken. */
export const abortableLog = (log: Pick<EventLog, 'read'>, stop: AbortSignal): Pick<EventLog, 'read'> => ({
  read: async (topic, from, take, options) => {
    stop.throwIfAborted();
    return log.read(
      topic,
      from,
      async (records) => {
        stop.throwIfAborted();
        await take(records);
      },
      options,
    );
  },
});
