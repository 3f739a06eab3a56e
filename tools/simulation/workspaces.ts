import type { KeyObject } from 'node:crypto';
import { PARTICIPANTS, type ParticipantReport } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { Storage } from '@opendsr-service/storage';
import { openVault, type Keys } from '@opendsr-service/vault';
import { builtInReportKey, openWorkspaces, Participants, waiverKey } from '@opendsr-service/workspaces';
import { createSecretKey } from 'node:crypto';
import { registrations } from './actors/outside-participants';
import { TENANTS } from './actors/plan';

/** Where nothing is destroyed, nothing is published. */
export const noPublisher: Publisher = { available: true, publish: () => Promise.resolve() };

/** The key that must sign a report. */
export type ReportKey = (report: Pick<ParticipantReport, 'ws' | 'participant' | 'waivedBy'>) => KeyObject | undefined;

interface ParticipantSecrets {
  /** The secrets of outside participants, by `<ws>:<name>`. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly reportKey: ReportKey;
}

/** Creates workspaces, credentials and participants before the first process boots. */
export async function createWorkspaces(storage: Storage, keys: Keys, clock: Clock): Promise<ParticipantSecrets> {
  const now = (): number => clock.now().getTime();
  const { vault, seal } = await openVault(await storage.database('keys'), keys, now, noPublisher);
  const connection = await storage.database('workspaces');
  const workspaces = await openWorkspaces(connection, vault, seal, now);
  for (const { ws, key, secret } of TENANTS) await workspaces.ensureSandbox({ ws, controllerId: ws, key, secret });
  const participants = new Participants(connection, seal, now);
  const secrets = new Map<string, string>();
  for (const registration of registrations)
    secrets.set(`${registration.ws}:${registration.name}`, (await participants.add(registration)).secret);
  const builtIn = new Map(Object.values(PARTICIPANTS).map((name) => [name as string, builtInReportKey(seal, name)]));
  const outsideKey = (secret: string | undefined): KeyObject | undefined =>
    secret === undefined ? undefined : createSecretKey(secret, 'utf8');
  return {
    secrets,
    reportKey: ({ ws, participant, waivedBy }) =>
      waivedBy === undefined
        ? (builtIn.get(participant) ?? outsideKey(secrets.get(`${ws}:${participant}`)))
        : waiverKey(seal),
  };
}
