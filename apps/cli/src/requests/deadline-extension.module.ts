import type { LegalCalendar } from '@opendsr-service/contracts';
import type { Storage } from '@opendsr-service/storage';
import type { Vault } from '@opendsr-service/vault';
import { AuditStore } from '../participants/audit.store';

interface Stores {
  readonly storage: Storage;
  readonly vault: () => Promise<Vault>;
}

interface AskedExtension {
  readonly ws: string;
  readonly srid: string;
  readonly at: Date;
  /** A role or a team. */
  readonly by: string;
  readonly reason: string;
  readonly calendar: LegalCalendar;
}

/** Extends a legal date, noted in the audit trail first. Answers the new date, or why there is none. */
export async function extendNoted({ storage, vault }: Stores, asked: AskedExtension) {
  const { database, extendDeadlineOf } = await import('@opendsr-service/gateway/operation');
  const gateway = await storage.database(database.name);
  const { ws, srid, by, at } = asked;
  return extendDeadlineOf(gateway, await vault(), asked, async () => {
    await new AuditStore(gateway).add({ ws, srid, action: 'deadline-extension-asked', by, at });
  });
}

export type ExtensionRefusal = Extract<Awaited<ReturnType<typeof extendNoted>>, string>;
