import type { AfterErasurePolicy, DeviceMatching, LegalCalendar } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import { legalCalendarOf } from './legal-calendar-change';
import { STANDARD_CLASS } from './workspace-class';
import { collectionsOf, type WorkspaceDocument } from './workspace-documents';

export interface Workspace {
  readonly ws: string;
  readonly name: string;
  readonly controllerId: string;
  readonly afterErasure: AfterErasurePolicy;
  readonly deviceMatching: DeviceMatching;
  /** The only fact about a workspace that metrics show. */
  readonly class: string;
  /** By which the legal periods of its requests are counted (decision 24). */
  readonly legal: LegalCalendar;
  readonly createdAt: Date;
}

/** The workspace as it is stored now. Needs no more than the right to read. */
export async function findWorkspace(connection: Connection, ws: string): Promise<Workspace | undefined> {
  const document = await collectionsOf(connection).workspaces.findOne({ _id: ws });
  return document ? workspaceOf(document) : undefined;
}

export const workspaceOf = ({
  _id,
  afterErasure = 'accept',
  deviceMatching = 'anonymous',
  class: kind = STANDARD_CLASS,
  name,
  controllerId,
  legal,
  createdAt,
}: WorkspaceDocument): Workspace => ({
  ws: _id,
  name,
  controllerId,
  afterErasure,
  deviceMatching,
  class: kind,
  legal: legalCalendarOf(legal ? { legal } : {}),
  createdAt,
});
