import { callbackUrlSeal, identitiesSeal, type Identity } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { BlindIndex, DataKey, Vault } from '@opendsr-service/vault';
import type { Intake } from '../intake/intake';
import type { NewRequest } from './commands';
import type { RequestDocument } from './request.document';

const GROUP_FIELD = 'group';
const EXTENSION_FIELD = 'extension-reason';
const operatorField = (entryId: string): string => `operator-reason:${entryId}`;

/** The scope of the data keys of requests. */
export const REQUEST_KEYS = 'request';

interface SealingKeys {
  readonly key: DataKey;
  readonly index: BlindIndex;
}

type SealedIntake = Pick<NewRequest, 'kid' | 'sealed' | 'fingerprint' | 'groupId'>;

export const personIndex = (index: BlindIndex, { type, value }: Identity): string =>
  index.hash('request-person', type, value);

export const groupIndex = (index: BlindIndex, name: string): string => index.hash('group', name);

/** A new key for a request, and the index of its workspace. */
export async function sealingKeys(vault: Vault, ws: string): Promise<SealingKeys> {
  const index = await vault.index(ws);
  return { key: await vault.newKey(ws, REQUEST_KEYS), index };
}

/**
 * Seals all personal data and free text of an intake under a key of its own (decision 4). Group and callback hosts are known by
 * keyed hashes; the fingerprint is equal for the same type and identities in any order (decision 9).
 */
export function sealIntake({ key, index }: SealingKeys, ws: string, intake: Intake): SealedIntake {
  const { srid, groupId } = intake;
  return {
    kid: key.kid,
    groupId: groupId === null ? null : groupIndex(index, groupId),
    fingerprint: index.hash(
      'same-request',
      intake.type,
      ...intake.identities.flatMap(({ type, value }) => [type, value]),
    ),
    sealed: {
      identities: key.seal(identitiesSeal({ ws, srid }), JSON.stringify(intake.identities)),
      ...(groupId !== null && { group: key.seal({ ws, subject: srid, field: GROUP_FIELD }, groupId) }),
      callbacks: intake.callbackUrls.map((url) => {
        const destination = index.hash('callback-url', url);
        return {
          destination,
          url: key.seal(callbackUrlSeal({ ws, srid }, destination), url),
          host: index.hash('callback-host', hostOf(url)),
        };
      }),
    },
  };
}

/** The length of all that is sealed, which makes nearly all of a large command. */
export const sealedLength = ({ identities, group = '', callbacks }: SealedIntake['sealed']): number =>
  callbacks.reduce((sum, { url }) => sum + url.length, identities.length + group.length);

/** Undefined: the key is destroyed. */
export async function openIdentities(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid, sealed }: RequestDocument,
): Promise<readonly Identity[] | undefined> {
  const key = sealed && (await vault.key(ws, kid));
  return key && (JSON.parse(key.open(identitiesSeal({ ws, srid }), sealed.identities).toString()) as Identity[]);
}

/** URLs by destination. Undefined: the key is destroyed. */
export async function openCallbackUrls(
  vault: Vault,
  { ws, srid, kid, sealed }: RequestDocument,
): Promise<ReadonlyMap<string, string> | undefined> {
  const key = sealed && (await vault.key(ws, kid));
  if (!key) return undefined;
  return new Map(
    sealed.callbacks.map(({ destination, url }) => [
      destination,
      key.open(callbackUrlSeal({ ws, srid }, destination), url).toString(),
    ]),
  );
}

/** Null: the request has no group, or its key is destroyed. */
export async function openGroupName(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid, sealed }: RequestDocument,
): Promise<string | null> {
  if (sealed?.group === undefined) return null;
  const key = await vault.key(ws, kid);
  return key ? key.open({ ws, subject: srid, field: GROUP_FIELD }, sealed.group).toString() : null;
}

/** Undefined: the key is destroyed. */
export async function sealExtensionReason(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid, sealed }: RequestDocument,
  reason: string,
): Promise<string | undefined> {
  const key = sealed && (await vault.key(ws, kid));
  return key?.seal({ ws, subject: srid, field: EXTENSION_FIELD }, reason);
}

/** Undefined: the legal date is not extended, or the key is destroyed. */
export async function openExtensionReason(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid, sealed }: RequestDocument,
): Promise<string | undefined> {
  if (sealed?.extensionReason === undefined) return undefined;
  const key = await vault.key(ws, kid);
  return key?.open({ ws, subject: srid, field: EXTENSION_FIELD }, sealed.extensionReason).toString();
}

/** Why an operator decided, for the entry of the audit trail of this id. Undefined: the key is destroyed. */
export async function sealOperatorReason(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid, sealed }: RequestDocument,
  { entryId, reason }: { readonly entryId: string; readonly reason: string },
): Promise<string | undefined> {
  const key = sealed && (await vault.key(ws, kid));
  return key?.seal({ ws, subject: srid, field: operatorField(entryId) }, reason);
}

/** Undefined: the key is destroyed. */
export async function openOperatorReason(
  vault: Pick<Vault, 'key'>,
  { ws, srid, kid }: Pick<RequestDocument, 'ws' | 'srid' | 'kid'>,
  { entryId, reason }: { readonly entryId: string; readonly reason: string },
): Promise<string | undefined> {
  const key = await vault.key(ws, kid);
  return key?.open({ ws, subject: srid, field: operatorField(entryId) }, reason).toString();
}
