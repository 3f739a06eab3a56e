import type { EventLog } from '@opendsr-service/messaging';

/** Reading rejects with the reason once `stop` aborts. */
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
