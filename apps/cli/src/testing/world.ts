import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import type { LogRecord, TopicDefinition } from '@opendsr-service/messaging';
import { readSettings, storeSettings } from '@opendsr-service/config';
import { openStores, systemClock, type OpenStores } from '@opendsr-service/service';
import { ensureMasterKey, openVault, type MasterSeal } from '@opendsr-service/vault';
import { newCredential, openWorkspaces, Participants, type Workspaces } from '@opendsr-service/workspaces';
import type { Command } from '../command';
import { say } from './say';

const nowMs = () => systemClock.now().getTime();

/** What a service has in its data folder, held by its lock as while it runs, with the sandbox workspace in it. */
export class World {
  private constructor(
    readonly dataDir: string,
    private readonly stores: OpenStores,
    readonly seal: MasterSeal,
    readonly services: { readonly workspaces: Workspaces; readonly participants: Participants },
  ) {}

  static async open({ topics = Object.values(TOPICS) }: { topics?: readonly TopicDefinition[] } = {}): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'cli-'));
    const stores = await openStores(readSettings(storeSettings, { DATA_DIR: dataDir }), 'test');
    await stores.events.topics.apply(topics, { replication: 1, minIsr: 1 });
    const masterKey = await ensureMasterKey(join(dataDir, 'keys', 'master.key'));
    const { vault, seal } = await openVault(
      await stores.storage.database('keys'),
      { masterKey },
      nowMs,
      stores.events.publisher,
    );
    const connection = await stores.storage.database('workspaces');
    const workspaces = await openWorkspaces(connection, vault, seal, nowMs);
    await workspaces.ensureSandbox({ ws: 'sandbox', controllerId: '1402', ...newCredential() });
    return new World(dataDir, stores, seal, { workspaces, participants: new Participants(connection, seal, nowMs) });
  }

  /** What a command line prints, complains of and exits with. */
  say(commands: readonly Command[], line: string, env: Readonly<Record<string, string>> = { DATA_DIR: this.dataDir }) {
    return say(line, { commands, env });
  }

  database(name: string) {
    return this.stores.storage.database(name);
  }

  async reports(): Promise<LogRecord[]> {
    const found: LogRecord[] = [];
    await this.stores.events.read(
      TOPICS.participantReports.name,
      {},
      (records) => (found.push(...records), Promise.resolve()),
    );
    return found;
  }

  async audit(): Promise<object[]> {
    const connection = await this.stores.storage.database('gateway');
    return connection.collection('audit').find({ ws: 'sandbox' }).toArray();
  }

  async close(): Promise<void> {
    for (const { run } of this.stores.closing) await run();
    rmSync(this.dataDir, { recursive: true });
  }
}
