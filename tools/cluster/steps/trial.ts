import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../e2e/free-ports';
import { placeOf } from '../../demo/receiver-place';
import { must } from '../../images/command';
import type { Installation } from '../installation';
import type { Proof } from '../proof';

const tool = (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  must(process.execPath, ['tools/run.mjs', file, ...args], env);

/** Demo and conformance suite through the Services. */
export async function proveTrial(proof: Proof, installation: Installation): Promise<void> {
  await proveDemo(proof, installation);
  await proveConformance(proof, installation);
}

export async function proveDemo(proof: Proof, { cluster, account, folder }: Installation): Promise<void> {
  const said = await proof.step('The demo through the Services', undefined, () =>
    tool('tools/demo/demo.ts', [], {
      DSR_URL: account.baseUrls[0] ?? '',
      DSR_INGEST_URL: account.ingestUrl,
      DATA_DIR: join(folder, 'secrets'),
      SANDBOX_KEY: account.key,
      SANDBOX_SECRET: account.secret,
      DEMO_RECEIVER_HOST: cluster.hostIp,
    }),
  );
  proof.checks.check(said.trim().split('\n').at(-1) ?? '', /All \d+ checks passed/.test(said));
}

async function proveConformance(proof: Proof, installation: Installation): Promise<void> {
  const { cluster, account, folder } = installation;
  const [port = 0] = await freePorts(1);
  const { tls } = await placeOf(join(folder, 'secrets/certificates'), cluster.hostIp);
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { key, secret } = account;
  const credentials = JSON.stringify({ key, secret, other: await installation.workspace('other') });
  const place = `${cluster.hostIp}:${String(port)}`;
  const args = [
    ...['--base-url', account.baseUrls[0] ?? '', '--credentials-file', await file('credentials.json', credentials)],
    ...['--ca', join(folder, 'secrets/certificates/authority.pem')],
    ...['--domains', installation.domains.join(','), '--notes', '--calls-per-minute', '0'],
    ...['--receiver-listen', place, '--receiver-url', `https://${place}`],
    ...['--receiver-key', await file('receiver.key', tls.keyPem)],
    ...['--receiver-cert', await file('receiver.pem', tls.chainPem)],
    ...['--wait', '120s', '--callback-interval', '2s'],
  ];
  const said = await proof.step('The conformance suite through the Services', undefined, () =>
    tool('tools/conformance/conformance.ts', args),
  );
  proof.checks.check(
    'no rule fails',
    said
      .trim()
      .split('\n')
      .slice(-3)
      .filter((line) => /[1-9]\d* failed/.test(line)),
  );
}
