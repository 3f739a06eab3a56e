import { CONTROLLER_ID, isWorkspaceClass, WORKSPACE_ID, WORKSPACE_NAME } from '@opendsr-service/workspaces';
import { matching, optional, required, UsageError } from '../options';

export const newWorkspace = required(
  'W',
  matching(WORKSPACE_ID, 'at most 63 lower-case letters, digits and hyphens, such as acme'),
);
export const workspaceName = required('NAME', matching(WORKSPACE_NAME, 'one line of at most 128 characters'));
export const controllerId = optional('ID', matching(CONTROLLER_ID, 'at most 128 characters without spaces'));

/** A kind of customers, such as `gold`. */
export const workspaceClass = (text: string): string => {
  if (!isWorkspaceClass(text))
    throw new UsageError(
      'must be at most 20 lower-case letters, digits and hyphens, such as gold; none and other are reserved',
    );
  return text;
};
