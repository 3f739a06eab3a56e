import type {
  AfterErasurePolicy,
  DeviceMatching,
  IdentityTypeName,
  LegalCalendar,
  RequestType,
} from '@opendsr-service/contracts';
import { declareCollection } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';

/** What an API key admits to: requests of data subjects, and ingestion. */
export const SCOPES = ['dsr', 'ingest'] as const;
export type Scope = (typeof SCOPES)[number];

export interface WorkspaceDocument {
  readonly _id: string;
  readonly name: string;
  readonly controllerId: string;
  readonly afterErasure?: AfterErasurePolicy;
  readonly deviceMatching?: DeviceMatching;
  readonly class?: string;
  readonly legal?: Partial<LegalCalendar>;
  readonly createdAt: Date;
}

export interface CredentialDocument {
  readonly _id: string;
  readonly ws: string;
  readonly hash: string;
  /** Under the master key; only with scope `ingest`, whose secrets verify HMACs (decision 4). */
  readonly sealed?: string;
  readonly scopes: Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** When it was rotated last. */
  readonly rotatedAt?: Date;
}

export interface ParticipantDocument {
  readonly _id: string;
  readonly ws: string;
  readonly name: string;
  readonly domain: string;
  readonly types: readonly RequestType[];
  readonly identityTypes?: readonly IdentityTypeName[];
  readonly sealed: string;
  readonly createdAt: Date;
}

export const collectionsOf = (connection: Connection) => ({
  workspaces: declareCollection<WorkspaceDocument>(connection, 'workspaces', [{ fields: { name: 1 } }]),
  credentials: declareCollection<CredentialDocument>(connection, 'credentials', [
    { fields: { ws: 1, createdAt: 1, _id: 1 } },
  ]),
  participants: declareCollection<ParticipantDocument>(connection, 'participants', [{ fields: { ws: 1, name: 1 } }]),
});

export type Collections = ReturnType<typeof collectionsOf>;
