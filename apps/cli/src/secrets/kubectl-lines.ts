import type { SandboxCertificates } from '@opendsr-service/signing';
import { secretsIn } from './secrets-in';

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Shell lines that create the secrets of `dir` in Kubernetes, with the names of the chart's documentation. */
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
