import type { KeyObject } from 'node:crypto';
import { profileKey, requestKey } from '../vocabulary';
import { messageId } from './cloud-events';
import { codec, type EncodedMessage } from './codec';
import { COMMAND_SCHEMAS, type Command } from './commands';
import { DELIVERY_EVENT_SCHEMAS, type DeliveryEvent } from './delivery-events';
import { BATCH_SCHEMAS, PROFILE_SCHEMAS, type AttributesReceived, type BatchReceived } from './ingest';
import {
  CHECKPOINT_SCHEMAS,
  EVIDENCE_LEAF_SCHEMAS,
  type CheckpointSigned,
  type LeafAdded,
  type NewLeaf,
} from './evidence';
import { KEY_TOMBSTONE_SCHEMAS, tombstoneId, type KeyDestroyed } from './key-tombstones';
import {
  MOST_TOMBSTONES,
  PARTICIPANT_REPORT_SCHEMAS,
  type Destroyed,
  type ParticipantReport,
} from './participant-report';
import { signedCodec } from './record-signature';
import { REQUEST_EVENT_HEAD, REQUEST_EVENT_SCHEMAS, type RequestEvent } from './request-events';

const ofRequest = {
  key: (message: { ws: string; srid: string }) => requestKey(message.ws, message.srid),
  subject: (message: { srid: string }) => message.srid,
};
const ofProfile = {
  key: (message: { ws: string; mpid: string }) => profileKey(message.ws, message.mpid),
  subject: (message: { mpid: string }) => message.mpid,
};

export const commands = codec<Command>('/gateway', COMMAND_SCHEMAS, ofRequest);
/** `dsr.request-events.v1`; an event of a later type decodes to its head and changes nothing. */
export const requestEvents = codec<RequestEvent>('/request', REQUEST_EVENT_SCHEMAS, {
  ...ofRequest,
  head: REQUEST_EVENT_HEAD,
});
export const participantReports = codec<ParticipantReport>('/participant', PARTICIPANT_REPORT_SCHEMAS, ofRequest);
export const ingestProfiles = codec<AttributesReceived>('/ingestion', PROFILE_SCHEMAS, ofProfile);
export const ingestEvents = codec<BatchReceived>('/ingestion', BATCH_SCHEMAS, ofProfile);

export const deliveryEvents = codec<DeliveryEvent>('/callback-dispatcher', DELIVERY_EVENT_SCHEMAS, ofRequest);
/** Of the key that signs them. */
export const keyTombstones = signedCodec(
  codec<KeyDestroyed>('/vault', KEY_TOMBSTONE_SCHEMAS, { key: ({ kid }) => kid, subject: ({ kid }) => kid }),
);
/** Of the key that signs them. */
export const evidenceLeaves = signedCodec(
  codec<LeafAdded>('/evidence', EVIDENCE_LEAF_SCHEMAS, { key: ({ id }) => id, subject: ({ kind }) => kind }),
);
/** One key for each log, so that its last checkpoint stays. */
export const checkpoints = codec<CheckpointSigned>('/gateway', CHECKPOINT_SCHEMAS, {
  key: ({ origin }) => origin,
  subject: ({ origin }) => origin,
});

/**
 * A leaf of the transparency log, for `dsr.evidence-leaves.v1` (decision 25). A service that writes a document publishes it from the
 * outbox of that document, before the outbox counts as published; the same `of` gives the same leaf, which is logged once. `key`
 * signs it.
 */
export const evidenceLeaf = (
  { ws, kind, of, digest, at, dueAt, attestation }: NewLeaf,
  key: KeyObject,
): EncodedMessage =>
  evidenceLeaves(key).encode({
    ...{ type: 'LeafAdded', id: leafId({ ws, kind, of }), ws, kind, digest, at },
    ...(dueAt !== undefined && { dueAt }),
    ...(attestation && { attestation }),
  });

/** The id of the leaf of a document. */
export const leafId = ({ ws, kind, of }: Pick<NewLeaf, 'ws' | 'kind' | 'of'>): string =>
  messageId(ws, 'leaf', kind, ...of);

export type ReportedShare = Pick<ParticipantReport, 'status' | 'statusMessage' | 'waivedBy' | 'erased' | 'destroyed'>;

/** A report about a participant's share (decision 8) with a stable id, before it is signed. */
export const participantReport = (
  participant: string,
  { ws, srid }: { readonly ws: string; readonly srid: string },
  share: ReportedShare,
  at: Date,
): EncodedMessage =>
  participantReports.encode({
    type: 'ParticipantReport',
    id: messageId(ws, srid, 'report', participant, share.status),
    ws,
    srid,
    at: at.toISOString(),
    participant,
    ...share,
  });

/** What a share destroyed, for its report: keys of the workspace, and what else was counted. */
export const destroyedKeys = (
  ws: string,
  kids: readonly string[],
  counts: Omit<Destroyed, 'keys' | 'tombstones'>,
): Destroyed => ({
  ...counts,
  keys: kids.length,
  tombstones: kids.slice(0, MOST_TOMBSTONES).map((kid) => tombstoneId({ ws, kid })),
});
