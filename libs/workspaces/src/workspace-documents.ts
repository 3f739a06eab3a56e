import type {
  AfterErasurePolicy,
  DeviceMatching,
  IdentityTypeName,
  LegalCalendar,
  RequestType,
} from '@opendsr-service/contracts';
import { Schema, type Connection } from 'mongoose';

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

/** Schemas declare indexes only: the collections are accessed directly. */
const workspaceSchema = new Schema({ _id: String, name: String }).index({ name: 1 });
const credentialSchema = new Schema({ _id: String, ws: String, createdAt: Date }).index({
  ws: 1,
  createdAt: 1,
  _id: 1,
});
const participantSchema = new Schema({ _id: String, ws: String, name: String }).index({ ws: 1, name: 1 });

export function collectionsOf(connection: Connection) {
  if (!connection.models.Workspace) connection.model('Workspace', workspaceSchema, 'workspaces');
  if (!connection.models.Credential) connection.model('Credential', credentialSchema, 'credentials');
  if (!connection.models.Participant) connection.model('Participant', participantSchema, 'participants');
  return {
    workspaces: connection.collection<WorkspaceDocument>('workspaces'),
    credentials: connection.collection<CredentialDocument>('credentials'),
    participants: connection.collection<ParticipantDocument>('participants'),
  };
}

export type Collections = ReturnType<typeof collectionsOf>;
