import { createHash, type KeyObject } from 'node:crypto';
import type { CallbackSender } from '@opendsr-service/callback-dispatcher';
import type { Clock, Host } from '@opendsr-service/service';
import type { Signer } from '@opendsr-service/signing';
import type { Storage } from '@opendsr-service/storage';
import { noteSigner, privateKeyText } from '@opendsr-service/transparency';
import { openVault } from '@opendsr-service/vault';
import { openWorkspaces, Participants } from '@opendsr-service/workspaces';
import type { SimulatedLog } from '../stores/simulated-log';

/** A checksum in place of a signature: signing is proved elsewhere, and would take most of the time here. */
const checksum = (domain: string): Signer => ({
  domain,
  certificatePem: '',
  fingerprint: '',
  notAfter: new Date('2100-01-01T00:00:00Z'),
  publishedName: '',
  sign: (body) => Promise.resolve(createHash('sha256').update(domain).update(body).digest('base64')),
});

const SIGNERS = { v2: checksum('opendsr.localhost'), v1: checksum('opengdpr.localhost') } as const;

const LOG_SIGNER = noteSigner(privateKeyText('simulated/transparency', Buffer.alloc(32, 1)));

export interface Ground {
  readonly storage: Storage;
  readonly events: SimulatedLog;
  readonly masterKey: KeyObject;
  readonly clock: Clock;
  readonly log: Host['log'];
  readonly sender: CallbackSender;
}

/** What a process opens before it mounts its services, as the apps' own `main` does. */
export async function openPlatform({ masterKey, ...ground }: Ground) {
  const { storage, events, clock } = ground;
  const now = (): number => clock.now().getTime();
  const keys = await openVault(await storage.database('keys'), { masterKey }, now, events.publisher);
  const connection = await storage.database('workspaces');
  const workspaces = await openWorkspaces(connection, keys.vault, keys.seal, now);
  const participants = new Participants(connection, keys.seal, now);
  return {
    ...ground,
    ...keys,
    workspaces,
    participants,
    signers: SIGNERS,
    logSigner: LOG_SIGNER,
    serviceTokens: () => Promise.resolve([]),
  };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;
