import type { SandboxCertificates } from '@opendsr-service/signing';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { flag, optional, UsageError } from '../options';

export const shownOptions = { 'tls-key': optional('FILE', String), 'tls-cert': optional('FILE', String), plain: flag };

interface Given {
  readonly 'tls-key'?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
  readonly plain?: boolean | undefined;
}

/** PEM. */
export interface Shown {
  readonly key: string;
  readonly cert: string;
}

/** The named key and chain, or the sandbox's for receivers; undefined for plain HTTP. */
export async function shownCertificate(
  { 'tls-key': keyFile, 'tls-cert': chainFile, plain }: Given,
  sandbox: SandboxCertificates | undefined,
  { files: store }: Terminal,
): Promise<Shown | undefined> {
  if ((keyFile === undefined) !== (chainFile === undefined))
    throw new UsageError('give both --tls-key and --tls-cert, or neither');
  const files = keyFile !== undefined && chainFile !== undefined ? { keyFile, chainFile } : undefined;
  if (plain && files) throw new UsageError('--plain excludes --tls-key and --tls-cert');
  if (plain) return undefined;
  const { keyFile: key, chainFile: cert } = files ?? madeFor(sandbox);
  return { key: await store.text(key), cert: await store.text(cert) };
}

function madeFor(sandbox: SandboxCertificates | undefined): SandboxCertificates['receiver'] {
  if (!sandbox)
    throw new CommandError(
      'DATA_DIR holds no sandbox certificate: start the service there once, or ' +
        'give --tls-key and --tls-cert, or --plain',
    );
  return sandbox.receiver;
}
