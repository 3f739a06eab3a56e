import { TOPICS } from '@opendsr-service/contracts';
import type { Projection } from '@opendsr-service/runtime';
import type { Lane } from '../lanes/lane';
import type { FoldedLane } from './folded-lane';
import { laneFacts, laneFromLog } from './lane-from-log';
import { LanesFold } from './lanes-fold.store';

/** The lanes as the log has them (D3): what happened to requests, then what was told of callbacks, then the replays that nobody has obeyed yet. */
export const lanesProjection: Projection<Lane> = {
  name: 'callback-dispatcher',
  database: 'callback_dispatcher',
  collection: 'lanes',
  topics: [TOPICS.requestEvents.name, TOPICS.deliveryEvents.name, TOPICS.commands.name],
  changing: ['v', 'dueAt', 'token', 'goneAt', 'tellAt', 'teller', 'pending', 'past', 'outbox'] satisfies (keyof Lane)[],
  into: (scratch, { now }) => {
    const fold = new LanesFold(scratch, now);
    return Promise.resolve((records) => fold.take(records));
  },
  facts: laneFacts,
  merged: (present, folded) => laneFromLog(present, folded as FoldedLane),
  isBeyond: (present, folded) => present.v > folded.v,
  mayPrecede: ({ pending, past = [] }, since) =>
    [...pending, ...past].every(({ at, v }) => v > 1 || Date.parse(at) < since.getTime()),
};
