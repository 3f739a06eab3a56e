import { createSecretKey, type KeyObject } from 'node:crypto';
import type { AwsKmsOptions } from './aws-kms.calls';
import { GenerationFiles } from './generation-files';
import type { GenerationSecrets } from './generation-secrets';
import type { KeyService } from './key-service';
import { loadMasterKey } from './master-key';
import { keyFileText } from './private-file';
import type { TransitOptions } from './transit.client';
import { VaultError } from './vault-error';

const KEY_BYTES = 32;

export type KeyServiceOptions =
  | (TransitOptions & { readonly type: 'transit' })
  | (AwsKmsOptions & { readonly type: 'aws-kms' });

/** What all other keys hang on. */
export interface Keys {
  readonly masterKey: KeyObject;
  /** Absent: workspace keys are stored, and never rotated. */
  readonly generations?: GenerationSecrets | undefined;
}

/** Where they are: in files, or at a key service that opens the master key's file. */
export interface KeySource {
  readonly masterKeyFile: string;
  readonly service?: KeyServiceOptions | undefined;
  readonly generationFolder?: string | undefined;
}

/** Throws a VaultError that names the file but never its content, or a KeyServiceAway. */
export async function openKeys({ masterKeyFile, service, generationFolder }: KeySource): Promise<Keys> {
  if (service) {
    const open = await openKeyService(service);
    const masterKey = await unsealed(masterKeyFile, open);
    return { masterKey, generations: open.generationsOf(masterKey) };
  }
  const masterKey = await loadMasterKey(masterKeyFile);
  return {
    masterKey,
    generations: generationFolder === undefined ? undefined : new GenerationFiles(generationFolder, masterKey),
  };
}

/** The client of a service is loaded only where it is used. */
export async function openKeyService(options: KeyServiceOptions): Promise<KeyService> {
  if (options.type === 'aws-kms') {
    const { AwsKmsService } = await import('./aws-kms.client');
    return AwsKmsService.open(options);
  }
  const { TransitService } = await import('./transit.client');
  return new TransitService(options);
}

async function unsealed(file: string, service: KeyService): Promise<KeyObject> {
  const bytes = await service.unseal(await keyFileText('master', file));
  if (bytes.length !== KEY_BYTES)
    throw new VaultError('master-key-file', `the master key file ${file} does not hold a sealed key of 32 bytes`);
  return createSecretKey(bytes);
}
