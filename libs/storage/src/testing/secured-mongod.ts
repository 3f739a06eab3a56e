import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testCertificates, type TestCertificates } from './certificates';
import { freePorts } from './free-ports';
import { startOwn, type OwnServer } from './own-server';

export interface SecuredMongod {
  /** On localhost and 127.0.0.1; its certificate knows the address alone. */
  readonly port: number;
  readonly certificates: TestCertificates;
  stop(): Promise<void>;
}

/**
 * Starts a mongod that wants TLS, a certificate of each client, and a user who logs in; there are no users yet, and
 * the first is made from this machine.
 */
export async function startSecuredMongod(serversFolder: string): Promise<SecuredMongod> {
  const folder = await mkdtemp(join(tmpdir(), 'secured-mongod-'));
  const [certificates, [port = 0]] = await Promise.all([testCertificates(folder), freePorts(1)]);
  const tls = [
    '--tlsMode',
    'requireTLS',
    '--tlsCertificateKeyFile',
    certificates.serverFile,
    '--tlsCAFile',
    certificates.authorityFile,
    '--tlsDisabledProtocols',
    'TLS1_0,TLS1_1',
  ];
  const server = await startMongodWithLogin(serversFolder, { port, folder, options: tls }).catch(
    async (error: unknown) => {
      await rm(folder, { recursive: true });
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { port, certificates, stop };
}

interface WithLogin {
  readonly port: number;
  /** Of its data; the caller removes it. */
  readonly folder: string;
  readonly options?: readonly string[];
}

/** Starts a mongod on 127.0.0.1 that wants users to log in; there are none yet. Resolves once it listens. */
export async function startMongodWithLogin(
  serversFolder: string,
  { port, folder, options = [] }: WithLogin,
): Promise<OwnServer> {
  const server = startOwn(await mongodIn(serversFolder), [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'],
    ...['--dbpath', folder, '--wiredTigerCacheSizeGB', '0.25', '--auth'],
    ...options,
  ]);
  // It logs each thing that it does as one JSON document; 23016 is that it listens.
  await server
    .line((line) => line.includes('"id":23016'))
    .catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
  return server;
}

/** The program lies packed beside start-mongod, which unpacks it to the same place and offers no TLS. */
export async function mongodIn(serversFolder: string): Promise<string> {
  const packed = (await readdir(serversFolder)).find((name) => /^mongod-.*\.xz$/.test(name));
  if (packed === undefined) throw new Error('the folder DSR_TEST_SERVERS holds no mongod');
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'dsr-servers');
  const program = join(cache, packed.replace(/\.xz$/, ''));
  const there = await access(program).then(
    () => true,
    () => false,
  );
  if (there) return program;
  await mkdir(cache, { recursive: true });
  const part = `${program}.${String(process.pid)}`;
  await promisify(execFile)('sh', ['-c', 'xz -dc "$0" > "$1" && chmod +x "$1"', join(serversFolder, packed), part]);
  await rename(part, program);
  return program;
}
