import { PARTICIPANTS, type RequestType } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import { collectionsOf, type WorkspaceDocument } from './workspace-documents';

/** The services of our own that take part in each type (D8): a request completes when all of them have reported. */
const BUILT_IN: Readonly<Record<RequestType, readonly string[]>> = {
  access: [PARTICIPANTS.results],
  portability: [PARTICIPANTS.results],
  erasure: [PARTICIPANTS.ingestion],
};

/** Who takes part in the requests of a workspace. It needs no key: whoever decides about requests can read nothing else. */
export class Participants {
  private readonly workspaces: Collection<WorkspaceDocument>;

  constructor(connection: Connection) {
    ({ workspaces: this.workspaces } = collectionsOf(connection));
  }

  /** Who must report before a request of this type completes. Throws where the workspace does not exist. */
  async of(ws: string, type: RequestType): Promise<string[]> {
    if (!(await this.workspaces.findOne({ _id: ws }, { projection: { _id: 1 } }))) throw new Error(`there is no workspace ${ws}`);
    return [...BUILT_IN[type]];
  }
}
