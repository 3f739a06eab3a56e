import type { Codec } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '../records';

type Handlers<M extends { readonly type: string }> = {
  readonly [T in M['type']]: 'skip' | ((message: Extract<M, { readonly type: T }>) => Promise<Verdict>);
};

/**
 * A handler of records that calls one for the type of the message. Names every type of the topic; one that is skipped is
 * not decoded, and one of a later version is 'later-version'. Rejects with MalformedMessage or LaterMessage, as `decode`.
 */
export function byType<M extends { readonly type: string }>(
  codec: Pick<Codec<M>, 'isOfType' | 'decode'>,
  handlers: Handlers<M>,
): (record: LogRecord) => Promise<Verdict> {
  const skipped = (Object.keys(handlers) as M['type'][]).filter((type) => handlers[type] === 'skip');
  return async (record) => {
    if (codec.isOfType(record, skipped)) return 'skip';
    const message = codec.decode(record);
    const handle = handlers[message.type as M['type']] as ((message: M) => Promise<Verdict>) | undefined;
    return handle ? handle(message) : 'later-version';
  };
}
