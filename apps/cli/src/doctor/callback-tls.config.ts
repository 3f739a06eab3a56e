import type { SecureContext } from 'node:tls';
import { sendingSettings } from '@opendsr-service/config';
import { sandboxIn } from '../certs/certificates.config';
import type { Terminal } from '../command';

/**
 * The TLS by which the callback-dispatcher of this configuration reaches receivers that ask for no certificate.
 * `sandboxDir`: the folder of embedded
 * stores, whose sandbox trusts its own authority where no other is named. Throws a ConfigurationError.
 */
export async function callbackTls(
  { settings, files }: Pick<Terminal, 'settings' | 'files'>,
  sandboxDir: string | undefined,
): Promise<SecureContext> {
  // Loaded when it is asked for, as the configuration of a service is.
  const { clientContext } = await import('@opendsr-service/callback-dispatcher/operation');
  const { CALLBACK_CA_FILE } = settings({ CALLBACK_CA_FILE: sendingSettings.CALLBACK_CA_FILE });
  const file = CALLBACK_CA_FILE ?? (sandboxDir === undefined ? undefined : sandboxIn(sandboxDir)?.authorityFile);
  return clientContext(file === undefined ? undefined : await files.text(file), undefined);
}
