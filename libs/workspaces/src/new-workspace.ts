import { isWorkspaceClass } from './workspace-class';

/** The id of a workspace: it stands in keys of the log, in paths and in headers, as in `<ws>:<srid>`, and never changes. */
export const WORKSPACE_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** How people call a workspace: one line. */
export const WORKSPACE_NAME = /^(?!\s)[^\p{Cc}\p{Cs}]{1,128}(?<!\s)$/u;
/** The interface's "Unique ID of the data controller". */
export const CONTROLLER_ID = /^[^\s\p{Cc}\p{Cs}]{1,128}$/u;

/** What an operator says of a workspace. */
export interface NewWorkspace {
  readonly ws: string;
  readonly name: string;
  /** Absent: a fresh UUID. */
  readonly controllerId?: string;
  /** What kind of customer it is, for metrics. Absent: `standard`. */
  readonly class?: string;
}

/** Throws a TypeError that says what cannot be created so. */
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
