import { join } from 'node:path';
import { ensureSandboxCertificates, loadSigner, type CertificateFiles, type Signer } from '@opendsr-service/signing';
import { ensureMasterKey, loadMasterKey } from '@opendsr-service/vault';
import type { KeyObject } from 'node:crypto';
import type { StandaloneValues } from '../standalone.config';

/** What the process seals, signs and is trusted with. */
export interface Secrets {
  readonly masterKey: KeyObject;
  readonly signers: { readonly v2: Signer };
  /** The sandbox's throw-away authority, where it made one. */
  readonly authorityFile: string | undefined;
}

type Values = Pick<StandaloneValues, 'DATA_DIR' | 'TIMING_PROFILE' | 'MASTER_KEY_FILE' | 'SIGNING_KEY_FILE_V2' | 'SIGNING_CHAIN_FILE_V2' | 'PROCESSOR_DOMAIN_V2' | 'PROCESSOR_DOMAIN_V1'>;

/** Loads what is configured; the sandbox makes the rest in its data folder, whose lock the process must hold. */
export async function openSecrets(values: Values, now: Date): Promise<Secrets> {
  const masterKey = values.MASTER_KEY_FILE ? await loadMasterKey(values.MASTER_KEY_FILE) : await ensureMasterKey(join(values.DATA_DIR, 'keys', 'master.key'));
  const sandbox =
    values.TIMING_PROFILE === 'sandbox'
      ? await ensureSandboxCertificates(join(values.DATA_DIR, 'certificates'), { domainV2: values.PROCESSOR_DOMAIN_V2, domainV1: values.PROCESSOR_DOMAIN_V1, now })
      : undefined;
  const files = configuredFiles(values) ?? sandbox?.v2;
  if (!files) throw new TypeError('the production profile checks that its signing files are set');
  return {
    masterKey,
    signers: { v2: await loadSigner({ ...files, domain: values.PROCESSOR_DOMAIN_V2, now }) },
    authorityFile: sandbox?.authorityFile,
  };
}

const configuredFiles = ({ SIGNING_KEY_FILE_V2: keyFile, SIGNING_CHAIN_FILE_V2: chainFile }: Values): CertificateFiles | undefined =>
  keyFile && chainFile ? { keyFile, chainFile } : undefined;
