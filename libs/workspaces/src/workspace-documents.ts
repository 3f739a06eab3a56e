import { Schema, type Connection } from 'mongoose';

export type Scope = 'dsr' | 'ingest';

export interface WorkspaceDocument {
  readonly _id: string;
  readonly name: string;
  readonly controllerId: string;
  /** Outside participants; ours take part in every workspace. */
  readonly participants: string[];
  readonly createdAt: Date;
}

export interface CredentialDocument {
  readonly _id: string;
  readonly ws: string;
  readonly hash: string;
  readonly scopes: Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

const workspaceSchema = new Schema({ _id: String, name: String, controllerId: String, participants: [String], createdAt: Date });
const credentialSchema = new Schema({
  _id: String,
  ws: String,
  hash: String,
  scopes: [String],
  createdAt: Date,
  expiresAt: Date,
  revokedAt: Date,
}).index({ ws: 1 });

/** Declares the models on a connection once, however many share it, and answers their collections. */
export function collectionsOf(connection: Connection) {
  if (!connection.models.Workspace) connection.model('Workspace', workspaceSchema, 'workspaces');
  if (!connection.models.Credential) connection.model('Credential', credentialSchema, 'credentials');
  return {
    workspaces: connection.collection<WorkspaceDocument>('workspaces'),
    credentials: connection.collection<CredentialDocument>('credentials'),
  };
}
