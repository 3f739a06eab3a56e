import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import type { Environment } from '../e2e/child-service';
import type { Service } from '../e2e/service';
import type { TlsFiles } from '../receiver/receiver';
import type { ReceiversTasks } from './callback-receivers';
import type { CallbackRig } from './callback-rig';
import type { CallbacksResult } from './callbacks-result';
import { measureDrains } from './drains';
import { withHelper, type HelperProcess } from './helper-process';
import { measureDelay } from './light-load';
import { withService, type Rig } from './rig';

const HOSTS = Array.from({ length: 50 }, (_, n) => `127.0.0.${String(n + 2)}`);
/** What the service has of itself; stated, because it bounds what one receiver can be sent. */
const PER_HOST = '8';

/** Callbacks that are delivered and verified: a backlog on one tick to one receiver and to fifty, and few of them at a tick a second. */
export const measureCallbacks = (rig: Rig, given: Environment): Promise<CallbacksResult> =>
  withReceivers(rig, given, async (parts, settings) => {
    const withTick = <T>(tickMs: number, work: (service: Service) => Promise<T>) =>
      withService(rig, { ...settings, CALLBACK_TICK_MS: String(tickMs) }, work);
    return { drains: await measureDrains(parts, withTick), delay: await measureDelay(parts, withTick) };
  });

/** Works with receivers, and with the settings of a service that sends to them. Nothing starts meanwhile. */
export async function withReceivers<T>(
  rig: Rig,
  given: Environment,
  work: (parts: CallbackRig, settings: Environment) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-bench-'));
  try {
    const { authorityFile, tls } = await certificates(folder);
    const { CALLBACK_HOST_CONCURRENCY: perHost = PER_HOST } = given;
    const settings = {
      TIMING_PROFILE: 'sandbox',
      ACCESS_WAIT_MS: '1h',
      CALLBACK_SPREAD_MS: '0',
      CALLBACK_CA_FILE: authorityFile,
      CALLBACK_HOST_CONCURRENCY: perHost,
    };
    return await withHelper('callback-receivers', (receivers: HelperProcess<ReceiversTasks>) =>
      work({ ...rig, receivers, tls, hosts: HOSTS, perHost: Number(perHost) }, settings),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An authority of this run and a certificate of it for all receivers. */
async function certificates(folder: string): Promise<{ readonly authorityFile: string; readonly tls: TlsFiles }> {
  const now = new Date();
  const authority = await makeSandboxAuthority({ commonName: 'receivers of the benchmark', days: 2, now });
  const { keyPem, certPem } = await issueCertificate({
    authority,
    commonName: 'receiver',
    dnsNames: [],
    ipAddresses: HOSTS,
    usage: 'server',
    days: 2,
    now,
  });
  const authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, authority.certPem);
  return { authorityFile, tls: { keyPem, chainPem: certPem } };
}
