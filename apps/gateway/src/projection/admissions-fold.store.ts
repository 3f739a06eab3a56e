import { commands, deliveryEvents, keyTombstones, requestEvents, TOPICS } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { foldByRequest, decodeValid, type FoldContext } from '@opendsr-service/replay';
import type { Connection } from 'mongoose';
import { RequestKeysStore } from '../keys/request-keys.store';
import { foldCommand, foldEvent, foldSettled } from './admission-from-log';

const COLLECTION = 'requests';

export async function admissionsFold(
  scratch: Connection,
  { now, keyKeepMs, tombstoneKey }: FoldContext,
): Promise<(records: readonly LogRecord[]) => Promise<void>> {
  // Tombstones name keys. Unique indexes need not hold during the fold.
  await scratch.collection(COLLECTION).createIndex({ ws: 1, kid: 1 });
  const takeEvents = foldByRequest(scratch, COLLECTION, foldEvent(now));
  const takeCommands = foldByRequest(scratch, COLLECTION, foldCommand);
  const takeSettled = foldByRequest(scratch, COLLECTION, foldSettled);
  const keys = new RequestKeysStore(scratch, keyKeepMs);
  const tombstones = keyTombstones(tombstoneKey);
  const takers: Readonly<Record<string, (records: readonly LogRecord[]) => Promise<void>>> = {
    [TOPICS.requestEvents.name]: (records) => takeEvents(decodeValid(requestEvents, records)),
    [TOPICS.commands.name]: (records) =>
      takeCommands(decodeValid(commands, records).filter((command) => command.type !== 'ReplayCallback')),
    [TOPICS.deliveryEvents.name]: (records) =>
      takeSettled(decodeValid(deliveryEvents, records).filter((event) => event.type === 'DestinationSettled')),
    [TOPICS.keyTombstones.name]: (records) => keys.applyTombstones(decodeValid(tombstones, records)),
  };
  return async (records) => takers[records[0]?.topic ?? '']?.(records);
}
