import { createSecretKey } from 'node:crypto';
import type { Codec } from '../messages/codec';
import {
  checkpoints,
  commands,
  deliveryEvents,
  evidenceLeaves,
  ingestEvents,
  ingestProfiles,
  keyTombstones,
  participantReports,
  requestEvents,
} from '../messages/codecs';
import { COMMAND_SCHEMAS } from '../messages/commands';
import { DELIVERY_EVENT_SCHEMAS } from '../messages/delivery-events';
import { CHECKPOINT_SCHEMAS, EVIDENCE_LEAF_SCHEMAS } from '../messages/evidence';
import { BATCH_SCHEMAS, PROFILE_SCHEMAS } from '../messages/ingest';
import { KEY_TOMBSTONE_SCHEMAS } from '../messages/key-tombstones';
import { PARTICIPANT_REPORT_SCHEMAS } from '../messages/participant-report';
import { RECORD_SIGNATURE_HEADER } from '../messages/record-signature';
import { REQUEST_EVENT_SCHEMAS } from '../messages/request-events';
import { TOPICS } from '../topics';
import type { TopicShape } from './additive';

export type Topic = keyof typeof TOPICS;
export type Message = { readonly type: string } & Readonly<Record<string, unknown>>;

const SCHEMAS: Readonly<Record<Topic, Readonly<Record<string, object>>>> = {
  commands: COMMAND_SCHEMAS,
  requestEvents: REQUEST_EVENT_SCHEMAS,
  participantReports: PARTICIPANT_REPORT_SCHEMAS,
  ingestProfiles: PROFILE_SCHEMAS,
  ingestEvents: BATCH_SCHEMAS,
  deliveryEvents: DELIVERY_EVENT_SCHEMAS,
  keyTombstones: KEY_TOMBSTONE_SCHEMAS,
  evidenceLeaves: EVIDENCE_LEAF_SCHEMAS,
  checkpoints: CHECKPOINT_SCHEMAS,
};

/** Signs the golden messages that have a signature. */
export const GOLDEN_KEY = createSecretKey(Buffer.from('secret-of-the-golden-report'));

/** Codecs for messages whose type is known only at run time. */
export const CODECS = {
  commands,
  requestEvents,
  participantReports,
  ingestProfiles,
  ingestEvents,
  deliveryEvents,
  keyTombstones: keyTombstones(GOLDEN_KEY),
  evidenceLeaves: evidenceLeaves(GOLDEN_KEY),
  checkpoints,
} as unknown as Readonly<Record<Topic, Codec<Message>>>;

export const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];

const PLACES: Message = {
  type: '<type>',
  id: '<id>',
  ws: '<ws>',
  srid: '<srid>',
  mpid: '<mpid>',
  kid: '<kid>',
  at: '<at>',
  kind: '<kind>',
  origin: '<origin>',
};

export function shapeOf(topic: Topic): TopicShape {
  const { name, partitions } = TOPICS[topic];
  const { key, headers: all } = CODECS[topic].encode(PLACES);
  const { [RECORD_SIGNATURE_HEADER]: _signature, ...headers } = all;
  return { topic: name, partitions, key, headers, types: SCHEMAS[topic] };
}
