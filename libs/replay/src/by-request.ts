import { MalformedMessage, requestKey } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import type { StoredDocument } from './projection';

interface Decoder<M> {
  decode(record: LogRecord): M;
}

/** Skips malformed messages, which their consumer parked. */
export function decodeValid<M>(codec: Decoder<M>, records: readonly LogRecord[]): M[] {
  return records.flatMap((record) => {
    try {
      return [codec.decode(record)];
    } catch (error) {
      if (error instanceof MalformedMessage) return [];
      throw error;
    }
  });
}

type OfRequest = Readonly<Record<'ws' | 'srid', string>>;

/** Folds messages into one scratch document for each request, with one read and one write for a batch. */
export function foldByRequest<D extends StoredDocument, M extends OfRequest>(
  scratch: Connection,
  collection: string,
  fold: (before: D | undefined, message: M) => D | undefined,
): (messages: readonly M[]) => Promise<void> {
  const documents = scratch.collection<StoredDocument>(collection);
  return async (messages) => {
    const ids = [...new Set(messages.map(({ ws, srid }) => requestKey(ws, srid)))];
    if (ids.length === 0) return;
    const found = (await documents.find({ _id: { $in: ids } }).toArray()) as unknown as D[];
    const known = new Map(found.map((document) => [document._id, document]));
    const changed = new Map<string, D>();
    for (const message of messages) {
      const id = requestKey(message.ws, message.srid);
      const before = changed.get(id) ?? known.get(id);
      const after = fold(before, message);
      if (after && after !== before) changed.set(id, after);
    }
    const writes = [...changed.values()].map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
    }));
    if (writes.length > 0) await documents.bulkWrite(writes, { ordered: false });
  };
}
