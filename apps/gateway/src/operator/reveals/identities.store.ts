import type { Identity } from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import type { RequestDocument } from '../../admission/request.document';
import { findRequest } from '../../admission/requests-collection.store';
import {
  openCallbackUrls,
  openExtensionReason,
  openGroupName,
  openIdentities,
  openOperatorReason,
} from '../../admission/sealing';
import { AuditStore } from '../../audit/audit.store';

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
  const entries = await new AuditStore(connection).ofRequest(request.ws, request.srid);
  return Promise.all(
    entries.map(async ({ _id: entryId, action, at, by, reason }) => ({
      ...{ action, at, by },
      reason: (await openOperatorReason(vault, request, { entryId, reason })) ?? '',
    })),
  );
}
