import { isWorkspaceClass } from './workspace-class';

/** The id of a workspace, which never changes; it is part of record keys, paths and headers, as in `<ws>:<srid>`. */
export const WORKSPACE_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** The display name of a workspace. */
export const WORKSPACE_NAME = /^(?!\s)[^\p{Cc}\p{Cs}]{1,128}(?<!\s)$/u;
/** The interface's "Unique ID of the data controller". */
export const CONTROLLER_ID = /^[^\s\p{Cc}\p{Cs}]{1,128}$/u;

/** A workspace as the operator creates it. */
export interface NewWorkspace {
  readonly ws: string;
  readonly name: string;
  /** Absent: a random UUID. */
  readonly controllerId?: string;
  readonly class?: string;
}

export function checkNewWorkspace({ ws, name, controllerId, class: kind }: NewWorkspace): void {
  if (!WORKSPACE_ID.test(ws))
    throw new TypeError(
      'the id of a workspace has at most 63 small letters, digits and hyphens, with no hyphen at its ends',
    );
  if (!WORKSPACE_NAME.test(name)) throw new TypeError('the name of a workspace is one line of at most 128 characters');
  if (controllerId !== undefined && !CONTROLLER_ID.test(controllerId))
    throw new TypeError('the id of a controller has at most 128 characters and no spaces');
  if (kind !== undefined && !isWorkspaceClass(kind))
    throw new TypeError(
      'the class of a workspace has at most 20 small letters, digits and hyphens, begins with a letter, and is neither none nor other',
    );
}
