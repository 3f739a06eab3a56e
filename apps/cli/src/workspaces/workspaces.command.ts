import type { Workspace, Workspaces } from '@opendsr-service/workspaces';
import { command, EXIT } from '../command';
import { withKeyedStores } from '../keyed-stores.wiring';
import { optional } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor } from '../participants/answered-for';
import { controllerId, newWorkspace, workspaceClass, workspaceName } from './workspace-options';

/** `dsr workspaces create` (docs/workspaces.md). */
export const workspacesCreate = command({
  words: 'workspaces create',
  meaning:
    'creates a workspace for a controller; it needs keys of its own. ID is the controller_id in its ' +
    'receipts and callbacks, by default a new UUID',
  options: {
    workspace: newWorkspace,
    name: workspaceName,
    'controller-id': controllerId,
    class: optional('CLASS', workspaceClass),
    ...answeredFor,
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await stores.workspaces();
      await stores.note(given, { ws: given.workspace, action: 'workspace-create-asked' });
      const made = await workspaces.create({
        ws: given.workspace,
        name: given.name,
        controllerId: given['controller-id'],
        class: given.class,
      });
      const shown = { workspace: made.ws, name: made.name, controllerId: made.controllerId, class: made.class };
      show(terminal, given, shown, () => [
        `created workspace ${made.ws}, in effect at once`,
        `controller-id  ${made.controllerId}`,
        `It cannot be used before it has a key: dsr keys create --workspace ${made.ws}`,
      ]);
      return EXIT.ok;
    }),
});

/** `dsr workspaces list` */
export const workspacesList = command({
  words: 'workspaces list',
  meaning: 'lists all workspaces: id, id of the controller, when it was created, class, name',
  options: jsonOption,
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await allOf(await stores.workspaces());
      show(terminal, given, { workspaces }, () =>
        workspaces.length === 0 ? ['there are no workspaces'] : workspaces.map(lineOf),
      );
      return EXIT.ok;
    }),
});

/** Reads page by page. */
async function allOf(workspaces: Workspaces): Promise<readonly Workspace[]> {
  const all: Workspace[] = [];
  for (let page = await workspaces.list(); page.length > 0; page = await workspaces.list(all.at(-1)?.ws))
    all.push(...page);
  return all;
}

const lineOf = ({ ws, controllerId: id, createdAt, class: kind, name }: Workspace): string =>
  `${ws}  ${id}  ${createdAt.toISOString()}  ${kind}  ${name}`;
