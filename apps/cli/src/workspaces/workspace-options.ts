import { CONTROLLER_ID, WORKSPACE_ID, WORKSPACE_NAME } from '@opendsr-service/workspaces';
import { matching, optional, required } from '../options';

export const newWorkspace = required('W', matching(WORKSPACE_ID, 'at most 63 small letters, digits and hyphens, such as acme'));
export const workspaceName = required('NAME', matching(WORKSPACE_NAME, 'one line of at most 128 characters'));
export const controllerId = optional('ID', matching(CONTROLLER_ID, 'at most 128 characters without spaces'));
