import type { SandboxCertificates } from '@opendsr-service/signing';
import { secretsIn } from './secrets-in';

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * What hands the secrets in `dir` to a Kubernetes cluster, under the names that the chart's documentation uses; line
 * for line for a shell.
 */
export function kubectlLines(dir: string, certificates: SandboxCertificates | undefined): string[] {
  const { masterKey, internalToken } = secretsIn(dir);
  const generic = (name: string, key: string, file: string) =>
    `kubectl create secret generic ${name} --from-file=${quoted(`${key}=${file}`)}`;
  const signing = (['v2', 'v1'] as const).map((version) => {
    const { keyFile, chainFile } = certificates?.[version] ?? { keyFile: 'tls.key', chainFile: 'tls.crt' };
    return `kubectl create secret tls opendsr-signing-${version} --key=${quoted(keyFile)} --cert=${quoted(chainFile)}`;
  });
  return [
    generic('opendsr-master-key', 'key', masterKey),
    generic('opendsr-internal-token', 'token', internalToken),
    ...signing,
  ];
}
