import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';

/** Certificates of one secured server and its clients: contexts for clients, files for the server. */
export interface TestCertificates {
  /** Trusts the server's authority, and shows a certificate of it. */
  readonly known: SecureContext;
  /** Trusts the server's authority, and has no certificate to show. */
  readonly nameless: SecureContext;
  /** Trusts another authority than the server's. */
  readonly strange: SecureContext;
  readonly authorityFile: string;
  /** Key and certificate of the server in one file. It is made out to its address and to no name. */
  readonly serverFile: string;
}

/** Makes them again, the files in a folder of the spec's. */
export async function testCertificates(folder: string, address = '127.0.0.1'): Promise<TestCertificates> {
  // Not at the top: the specs that share this folder's face do not need to wait for it.
  const { issueCertificate, makeSandboxAuthority } = await import('@opendsr-service/signing');
  const term = { days: 1, now: new Date() };
  const [authority, other] = await Promise.all(
    ['ours', 'other'].map((commonName) => makeSandboxAuthority({ commonName, ...term })),
  );
  if (!authority || !other) throw new Error('no authority was made');
  // For signing is for any use: a server may then show the certificate to a server of its kind as well.
  const issue = (commonName: string, ipAddresses: readonly string[]) =>
    issueCertificate({ authority, commonName, dnsNames: [], ipAddresses, usage: 'signing', ...term });
  const [server, client] = await Promise.all([issue('server', [address]), issue('client', [])]);
  const files = { authorityFile: join(folder, 'authority.pem'), serverFile: join(folder, 'server.pem') };
  await Promise.all([
    writeFile(files.authorityFile, authority.certPem),
    writeFile(files.serverFile, server.keyPem + server.certPem),
  ]);
  return {
    ...files,
    known: createSecureContext({ ca: authority.certPem, cert: client.certPem, key: client.keyPem }),
    nameless: createSecureContext({ ca: authority.certPem }),
    strange: createSecureContext({ ca: other.certPem }),
  };
}
