import type { Workspaces } from '@opendsr-service/workspaces';
import { command, EXIT, type Terminal } from '../command';
import { withDesk } from '../desk.module';
import { optional } from '../options';
import { controllerId, newWorkspace, workspaceClass, workspaceName } from './workspace-options';

/** `dsr workspaces create`: room for a controller of its own (docs/workspaces.md). */
export const workspacesCreate = command({
  words: 'workspaces create',
  meaning: 'makes a workspace for a controller; it is used with keys of its own. ID stands in its receipts and callbacks as controller_id, and is a fresh UUID where none is given',
  options: { workspace: newWorkspace, name: workspaceName, 'controller-id': controllerId, class: optional('CLASS', workspaceClass) },
  run: (given, terminal) =>
    withDesk(terminal, async (desk) => {
      const workspaces = await desk.workspaces();
      const made = await workspaces.create({ ws: given.workspace, name: given.name, controllerId: given['controller-id'], class: given.class });
      terminal.print(`created workspace ${made.ws}, in effect at once`);
      terminal.print(`controller-id  ${made.controllerId}`);
      terminal.print(`Nobody can use it before it has a key: dsr keys create --workspace ${made.ws}`);
      return EXIT.ok;
    }),
});

/** `dsr workspaces list`: every workspace, by id. */
export const workspacesList = command({
  words: 'workspaces list',
  meaning: 'names all workspaces: id, id of the controller, when it was created, class, name',
  options: {},
  run: (_none, terminal) =>
    withDesk(terminal, async (desk) => {
      const listed = await printFrom('', await desk.workspaces(), terminal);
      if (!listed) terminal.print('there are no workspaces');
      return EXIT.ok;
    }),
});

/** Page by page, however many there are. False where there was none. */
async function printFrom(after: string, workspaces: Workspaces, terminal: Terminal): Promise<boolean> {
  const page = await workspaces.list(after);
  page.forEach(({ ws, controllerId: id, createdAt, class: kind, name }) => { terminal.print(`${ws}  ${id}  ${createdAt.toISOString()}  ${kind}  ${name}`); });
  const last = page.at(-1);
  if (last) await printFrom(last.ws, workspaces, terminal);
  return last !== undefined;
}
