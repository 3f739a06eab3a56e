import { join } from 'node:path';
import { signerSources } from '@opendsr-service/runtime';
import { ensureSandboxCertificates, loadSigners, type Signers } from '@opendsr-service/signing';
import { ensureMasterKey, loadMasterKey } from '@opendsr-service/vault';
import type { KeyObject } from 'node:crypto';
import type { StandaloneValues } from '../standalone.config';

/** What the process seals, signs and is trusted with. */
export interface Secrets {
  readonly masterKey: KeyObject;
  readonly signers: Signers;
  /** The sandbox's throw-away authority, where it made one. */
  readonly authorityFile: string | undefined;
}

type Values = Parameters<typeof signerSources>[0] & Pick<StandaloneValues, 'DATA_DIR' | 'TIMING_PROFILE' | 'MASTER_KEY_FILE'>;

/** Loads what is configured; the sandbox makes the rest in its data folder, whose lock the process must hold. */
export async function openSecrets(values: Values, now: Date): Promise<Secrets> {
  const masterKey = values.MASTER_KEY_FILE ? await loadMasterKey(values.MASTER_KEY_FILE) : await ensureMasterKey(join(values.DATA_DIR, 'keys', 'master.key'));
  const sandbox =
    values.TIMING_PROFILE === 'sandbox'
      ? await ensureSandboxCertificates(join(values.DATA_DIR, 'certificates'), { domainV2: values.PROCESSOR_DOMAIN_V2, domainV1: values.PROCESSOR_DOMAIN_V1, now })
      : undefined;
  return { masterKey, signers: await loadSigners(signerSources(values, sandbox), now), authorityFile: sandbox?.authorityFile };
}
