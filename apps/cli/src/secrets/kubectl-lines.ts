import { join, relative } from 'node:path';
import type { SandboxCertificates } from '@opendsr-service/signing';
import { secretsIn } from './secrets-in';

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

interface KubectlOptions {
  readonly dir: string;
  /** The folder as the machine of kubectl names it: in a container it has another name. */
  readonly shownAs: string;
  readonly namespace: string | undefined;
}

/** Shell lines that create the secrets of `dir` in Kubernetes, with the names of the chart's documentation. */
export function kubectlLines(
  { dir, shownAs, namespace }: KubectlOptions,
  certificates: SandboxCertificates | undefined,
): string[] {
  const { masterKey, internalToken, logKey } = secretsIn(shownAs);
  const create = `kubectl${namespace === undefined ? '' : ` -n ${quoted(namespace)}`} create secret`;
  const shown = (file: string) => join(shownAs, relative(dir, file));
  const generic = (name: string, key: string, file: string) =>
    `${create} generic ${name} --from-file=${quoted(`${key}=${file}`)}`;
  const signing = (['v2', 'v1'] as const).map((version) => {
    const made = certificates?.[version];
    const [keyFile, chainFile] = made ? [shown(made.keyFile), shown(made.chainFile)] : ['tls.key', 'tls.crt'];
    return `${create} tls opendsr-signing-${version} --key=${quoted(keyFile)} --cert=${quoted(chainFile)}`;
  });
  return [
    generic('opendsr-master-key', 'key', masterKey),
    generic('opendsr-internal-token', 'token', internalToken),
    generic('opendsr-transparency-key', 'key', logKey),
    ...signing,
  ];
}
