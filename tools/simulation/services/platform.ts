import { createHash } from 'node:crypto';
import type { CallbackSender } from '@opendsr-service/callback-dispatcher';
import type { Clock, Host } from '@opendsr-service/service';
import type { Signer } from '@opendsr-service/signing';
import type { Storage } from '@opendsr-service/storage';
import { noteSigner, privateKeyText } from '@opendsr-service/transparency';
import { openRotation, openVault, type Keys } from '@opendsr-service/vault';
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

/** So short that a generation ends within a world; the old secret is kept as long as keys are cached, at least. */
const ROTATION = { everyMs: 90_000, keepMs: 0 };

export interface Ground {
  readonly storage: Storage;
  readonly events: SimulatedLog;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Host['log'];
  readonly sender: CallbackSender;
}

/** What a process opens before it mounts its services, as the apps' own `main` does. */
export async function openPlatform({ keys, ...ground }: Ground) {
  const { storage, events, clock } = ground;
  const now = (): number => clock.now().getTime();
  const keysConnection = await storage.database('keys');
  const opened = await openVault(keysConnection, keys, now, events.publisher);
  const connection = await storage.database('workspaces');
  const workspaces = await openWorkspaces(connection, opened.vault, opened.seal, now);
  const participants = new Participants(connection, opened.seal, now);
  return {
    ...ground,
    ...opened,
    rotation: openRotation(keysConnection, keys, ROTATION, now),
    workspaces,
    participants,
    signers: SIGNERS,
    logSigner: LOG_SIGNER,
    serviceTokens: () => Promise.resolve([]),
  };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;
