import { requestKey, type Identity } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { CallbacksStore } from '../callbacks/callbacks.store';
import { openLanes } from '../keys/key-life';
import type { RequestDocument } from './request.document';
import { requestModel } from './request-model.store';
import { openCallbackUrls } from './sealing';

const find = (connection: Connection, ws: string, srid: string): Promise<RequestDocument | null> =>
  requestModel(connection).collection.findOne({ _id: requestKey(ws, srid) as never, ws }) as Promise<RequestDocument | null>;

/** What the gateway knows of a request, for tools: nothing of a person and no address. Of its group only how many are in it: the name is the controller's own words. Undefined: nothing. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const request = await find(connection, ws, srid);
  const callbacks = (await new CallbacksStore(connection).ofRequest(ws, srid)).map(({ lane, version, status, statusAt, standing, attemptCount, attempts }) =>
    ({ lane, version, status, statusAt, ...standing, attemptCount, lastAttempt: attempts.at(-1) }));
  if (!request) return callbacks.length === 0 ? undefined : { callbacks };
  const { status, type, regulation, apiVersion, controllerId, kid, seq, v, tries, extensions, outbox } = request;
  const { submittedTime, receivedAt, expectedAt, startAt, startedAt, completedAt, cancelledAt, outboxAt, keyDueAt, keyGoneAt } = request;
  return {
    ...{ status, type, regulation, apiVersion, controllerId, kid },
    group: await groupFacts(connection, request),
    times: { submittedTime, receivedAt, expectedAt, startAt, startedAt, completedAt, cancelledAt, keyDueAt, keyGoneAt },
    ...{ seq, v, outboxAt, tries },
    outbox: outbox.map((entry) => ({ seq: entry.seq, type: entry.type, at: entry.at })),
    outsideParticipants: extensions?.map(({ name, status: share }) => ({ name, status: share })),
    lanesOpen: openLanes(request),
    callbacks,
  };
}

async function groupFacts(connection: Connection, { ws, groupId }: RequestDocument): Promise<{ readonly requests: number } | undefined> {
  if (groupId === null) return undefined;
  return { requests: await requestModel(connection).collection.countDocuments({ ws, groupId, slot: { $exists: true } }) };
}

/** How the controller calls the group of a request, which may be a person's name or address; it is known for as long as the request is. */
export async function groupIdOf(connection: Connection, ws: string, srid: string): Promise<string | undefined> {
  return (await find(connection, ws, srid))?.groupId ?? undefined;
}

/** Whom a request is about, and the hosts that are told of it. Undefined: it is not known, or its key is gone. */
export async function identitiesOf(connection: Connection, vault: Vault, { ws, srid }: { readonly ws: string; readonly srid: string }): Promise<{ readonly identities: readonly Identity[]; readonly hosts: readonly string[] } | undefined> {
  const request = await find(connection, ws, srid);
  const key = request?.sealed && (await vault.key(ws, request.kid));
  if (!request?.sealed || !key) return undefined;
  const urls = await openCallbackUrls(vault, request);
  return {
    identities: JSON.parse(key.open({ ws, subject: srid, field: 'identities' }, request.sealed.identities).toString()) as Identity[],
    hosts: [...new Set([...(urls?.values() ?? [])].map(hostOf))],
  };
}
