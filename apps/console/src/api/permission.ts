import type { components } from './operator';

type Session = components['schemas']['OperatorSession'];

/** What a role may allow, as `x-needs` of the API's document names it. */
export type Permission = Session['roles'][number]['allows'][number];

/**
 * Whether a role allows it in this workspace. `null`: for what belongs to no workspace, or to several, which needs a role in all.
 * Absent: whether a role allows it anywhere.
 */
export const may = ({ roles }: Pick<Session, 'roles'>, permission: Permission, ws?: string | null): boolean =>
  roles.some(
    ({ allows, workspace }) =>
      allows.includes(permission) && (ws === undefined || workspace === null || workspace === ws),
  );
