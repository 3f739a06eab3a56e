import { requestKey, type Identity } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { LedgerStore } from '../callbacks/ledger.store';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { OperatorAuditStore } from '../participants/operator-audit.store';
import {
  openCallbackUrls,
  openExtensionReason,
  openGroupName,
  openIdentities,
  openOperatorReason,
} from '../admission/sealing';

const TIME_FIELDS = [
  'submittedTime',
  'receivedAt',
  'expectedAt',
  'legalSince',
  'legalDueAt',
  'atRiskAt',
  'extendedAt',
  'extendedUntil',
  'startAt',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'keyDueAt',
  'keyDueBy',
  'keyGoneAt',
] as const satisfies readonly (keyof RequestDocument)[];

/** Null: the request is unknown. */
export const findRequest = (connection: Connection, ws: string, srid: string): Promise<RequestDocument | null> =>
  requestsCollection(connection).findOne({
    _id: requestKey(ws, srid),
    ws,
  });

/** The facts of a request for tools: no personal data, no URL. Undefined: the request is unknown. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const request = await findRequest(connection, ws, srid);
  const callbacks = (await new LedgerStore(connection).listByRequest(ws, srid)).map(
    ({ destination, version, status, statusAt, standing, attemptCount, attempts }) => ({
      destination,
      version,
      status,
      statusAt,
      ...standing,
      attemptCount,
      lastAttempt: attempts.at(-1),
    }),
  );
  if (!request) return callbacks.length === 0 ? undefined : { callbacks };
  const { status, type, regulation, apiVersion, controllerId, kid, seq, v, tries, extensions, outbox, outboxAt } =
    request;
  const groupSize = await groupSizeOf(connection, request);
  return {
    status,
    type,
    regulation,
    apiVersion,
    controllerId,
    kid,
    group: groupSize === undefined ? undefined : { requests: groupSize },
    times: Object.fromEntries(TIME_FIELDS.map((name) => [name, request[name]])),
    extendedBy: request.extendedBy,
    seq,
    v,
    outboxAt,
    tries,
    outbox: outbox.map((entry) => ({ seq: entry.seq, type: entry.type, at: entry.at })),
    outsideParticipants: extensions?.map(({ name, status: share }) => ({ name, status: share })),
    openDestinations: request.openDestinations,
    callbacks,
  };
}

/** How many requests the group of a request has. Undefined: it has no group. */
export async function groupSizeOf(
  connection: Connection,
  { ws, groupId }: RequestDocument,
): Promise<number | undefined> {
  if (groupId === null) return undefined;
  // By a range, which the index of slots answers alone; for `$exists` MongoDB reads every document.
  return requestsCollection(connection).countDocuments({ ws, groupId, slot: { $gte: 0 } });
}

export interface Identified {
  readonly group?: string;
  readonly identities: readonly Identity[];
  readonly hosts: readonly string[];
  readonly extensionReason?: string;
  /** Why operators decided by their API. */
  readonly decisions?: readonly OperatorReason[];
}

interface OperatorReason {
  readonly action: string;
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

/** The identities, group name and callback hosts of a request, and why its legal date was extended. Undefined: unknown, or its key is destroyed. */
export async function identitiesOf(
  connection: Connection,
  vault: Vault,
  { ws, srid }: { readonly ws: string; readonly srid: string },
): Promise<Identified | undefined> {
  const request = await findRequest(connection, ws, srid);
  const identities = request && (await openIdentities(vault, request));
  if (!identities) return undefined;
  const urls = await openCallbackUrls(vault, request);
  const group = await openGroupName(vault, request);
  const extensionReason = await openExtensionReason(vault, request);
  const decisions = await operatorReasons(connection, vault, request);
  return {
    ...(decisions.length > 0 && { decisions }),
    ...(group !== null && { group }),
    identities,
    hosts: [...new Set([...(urls?.values() ?? [])].map(hostOf))],
    ...(extensionReason !== undefined && { extensionReason }),
  };
}

async function operatorReasons(
  connection: Connection,
  vault: Vault,
  request: RequestDocument,
): Promise<readonly OperatorReason[]> {
  const entries = await new OperatorAuditStore(connection).ofRequest(request.ws, request.srid);
  return Promise.all(
    entries.map(async ({ _id: entryId, action, at, by, reason }) => ({
      ...{ action, at, by },
      reason: (await openOperatorReason(vault, request, { entryId, reason })) ?? '',
    })),
  );
}
