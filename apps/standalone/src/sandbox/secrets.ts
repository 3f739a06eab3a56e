import { join } from 'node:path';
import { keySourceOf, signerSources } from '@opendsr-service/config';
import type { Clock, Logger, WaitFor } from '@opendsr-service/service';
import { ensureSandboxCertificates, openSigning } from '@opendsr-service/signing';
import { tightenDataFolder } from '@opendsr-service/storage';
import { ensureLogKey, ensureMasterKey, loadLogKey, logName, openKeys } from '@opendsr-service/vault';
import type { StandaloneValues } from '../standalone.config';

type Values = Parameters<typeof signerSources>[0] &
  Parameters<typeof keySourceOf>[0] &
  Pick<StandaloneValues, 'DATA_DIR' | 'TIMING_PROFILE' | 'TRANSPARENCY_KEY_FILE'>;

interface Parts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitFor: WaitFor;
}

/** Loads configured secrets; the sandbox creates missing ones, and its caller holds the lock of the data folder. */
export async function openSecrets(values: Values, { clock, log, waitFor }: Parts) {
  // Needed with real servers: embedded stores have already done it.
  tightenDataFolder(values.DATA_DIR);
  const source = keySourceOf(values);
  if (values.MASTER_KEY_FILE === undefined) await ensureMasterKey(source.masterKeyFile);
  const keys = await waitFor('the master key', () => openKeys(source));
  const logSigner = values.TRANSPARENCY_KEY_FILE
    ? await loadLogKey(values.TRANSPARENCY_KEY_FILE)
    : await ensureLogKey(join(values.DATA_DIR, 'keys', 'transparency.key'), logName(values.PROCESSOR_DOMAIN_V2));
  const sandbox =
    values.TIMING_PROFILE === 'sandbox'
      ? await ensureSandboxCertificates(join(values.DATA_DIR, 'certificates'), {
          domainV2: values.PROCESSOR_DOMAIN_V2,
          domainV1: values.PROCESSOR_DOMAIN_V1,
          now: clock.now(),
        })
      : undefined;
  if (sandbox)
    log.warn(
      { source: sandbox.authorityFile },
      'Certificates of a throw-away authority, made by this sandbox: nobody else trusts them, and nobody should',
    );
  return {
    keys,
    logSigner,
    signing: await openSigning(signerSources(values, sandbox), { clock, log }),
    /** The CA of the sandbox, where it created one. */
    authorityFile: sandbox?.authorityFile,
    /** The certificate of its receivers of callbacks. */
    receiver: sandbox?.receiver,
  };
}
