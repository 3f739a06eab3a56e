import { keySourceOf, storesOf } from '@opendsr-service/config';
import type { ToolAction } from '@opendsr-service/gateway/operation';
import type { Publisher } from '@opendsr-service/messaging';
import { openStores } from '@opendsr-service/service';
import type { Storage } from '@opendsr-service/storage';
import { masterKeyOpens, MasterSeal, openKeys, openVault, type Vault } from '@opendsr-service/vault';
import { openWorkspaces, Participants, type Workspaces } from '@opendsr-service/workspaces';
import type { Terminal } from './command';
import { CommandError } from './command-error';
import { demandStores } from './db/stores.wiring';
import { checkKeyedStores, keyedStoreSettings } from './master-key.config';
import { answerOf, type AnsweredFor } from './participants/answered-for';

export type WorkspaceChange = Pick<ToolAction, 'ws' | 'action' | 'key' | 'participant'>;

/** The stores of the commands about workspaces. */
export interface KeyedStores {
  readonly participants: Participants;
  readonly storage: Storage;
  readonly vault: () => Promise<Vault>;
  readonly workspaces: () => Promise<Workspaces>;
  /** Notes what is asked for in the audit trail, with the id of the entry as its answer. */
  readonly audit: (action: ToolAction) => Promise<string>;
  /** Notes a change of a workspace in the audit trail. Await it before the change. Throws where there is no such workspace. */
  readonly note: (given: AnsweredFor, what: WorkspaceChange) => Promise<void>;
  /** Of another database than that of the workspaces. */
  readonly seal: MasterSeal;
  readonly publisher: Publisher;
  /** Nothing outside of the service reads their event log. */
  readonly areEmbedded: boolean;
}

/** Opens the stores beside running services, without their lock, and closes them after the work. */
export async function withKeyedStores<T>(
  { settings, now, files }: Terminal,
  work: (stores: KeyedStores) => Promise<T>,
): Promise<T> {
  const values = settings(keyedStoreSettings, checkKeyedStores);
  const stores = storesOf(values);
  await demandStores(stores, files);
  const keys = await openKeys(keySourceOf(values));
  const { storage, events, closing } = await openStores(values, 'dsr', { lock: false });
  const nowMs = () => now().getTime();
  try {
    const connection = await storage.database('workspaces');
    const seal = new MasterSeal(keys.masterKey);
    const vault = once(
      async () => (await openVault(await storage.database('keys'), keys, nowMs, events.publisher)).vault,
    );
    const workspaces = once(async () => openWorkspaces(connection, await vault(), seal, nowMs));
    const audit = noteIn(storage);
    return await work({
      storage,
      vault,
      participants: new Participants(connection, seal, nowMs),
      workspaces,
      audit,
      note: async (given, what) => {
        const isNew = what.action === 'workspace-create-asked';
        if (!isNew && !(await (await workspaces()).get(what.ws)))
          throw new CommandError(`there is no workspace ${what.ws}`);
        await audit({ srid: '', ...what, ...answerOf(given), at: now() });
      },
      seal,
      publisher: events.publisher,
      areEmbedded: stores.kind === 'embedded',
    });
  } finally {
    for (const { run } of closing) await run();
  }
}

/** Of the gateway's database. */
export const noteIn =
  (storage: Storage) =>
  async (action: ToolAction): Promise<string> => {
    const { addEntry, database } = await import('@opendsr-service/gateway/operation');
    return addEntry(await storage.database(database.name), action);
  };

/** For commands that only sign what they say: what another master key signed, no service would take. */
export async function openSeal({ settings }: Pick<Terminal, 'settings'>, storage: Storage): Promise<MasterSeal> {
  const { masterKey } = await openKeys(keySourceOf(settings(keyedStoreSettings, checkKeyedStores)));
  if (!(await masterKeyOpens(await storage.database('keys'), masterKey)))
    throw new CommandError('no service has opened the database keys, so the master key cannot be checked');
  return new MasterSeal(masterKey);
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}
