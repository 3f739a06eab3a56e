import type { SecureContext } from 'node:tls';
import { secureContext, sendingSettings } from '@opendsr-service/config';
import { sandboxIn } from '../certs/certificates.config';
import type { Terminal } from '../command';

/**
 * The callback-dispatcher's TLS for receivers that request no client certificate. `sandboxDir`: the folder of embedded
 * stores, whose sandbox trusts its own authority by default. Throws a ConfigurationError.
 */
export async function callbackTls(
  { settings, files }: Pick<Terminal, 'settings' | 'files'>,
  sandboxDir: string | undefined,
): Promise<SecureContext> {
  const { CALLBACK_CA_FILE } = settings({ CALLBACK_CA_FILE: sendingSettings.CALLBACK_CA_FILE });
  const file = CALLBACK_CA_FILE ?? (sandboxDir === undefined ? undefined : sandboxIn(sandboxDir)?.authorityFile);
  return secureContext(file === undefined ? undefined : [await files.text(file)]);
}
