import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../e2e/free-ports';
import { placeOf } from '../../demo/receiver-place';
import { runToEnd } from '../../images/command';
import { Installation, type Installed } from '../installation';
import type { Proof } from '../proof';

/** How callers reach a form of the chart. */
export interface Reached {
  readonly name: string;
  readonly url: string;
  readonly ingestUrl: string;
  /** Holds the sandbox's authority, as the data folder of `npm start` does. */
  readonly dataDir: string;
  /** This machine as pods see it. */
  readonly hostIp: string;
  readonly domains: readonly string[];
  readonly key: string;
  readonly secret: string;
  readonly other: { readonly key: string; readonly secret: string };
}

/** What a tool says, whether or not it ends well. */
const tool = async (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { output, errorOutput } = await runToEnd(process.execPath, ['tools/run.mjs', file, ...args], env);
  return `${output}${errorOutput}`;
};

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Demo and conformance suite through the Services of the five services, with the values of a trial. */
export async function proveTrial(proof: Proof, { cluster, stores, parent }: Installed): Promise<void> {
  const trial = await proof.step('A trial, installed by the lines of the page', undefined, () =>
    Installation.install({ cluster, stores, parent }, 'trial'),
  );
  try {
    const { account, folder, domains } = trial;
    const { key, secret, ingestUrl } = account;
    const reached: Reached = {
      name: 'five services',
      url: account.baseUrls[0] ?? '',
      ingestUrl,
      dataDir: join(folder, 'secrets'),
      hostIp: cluster.hostIp,
      domains,
      key,
      secret,
      other: await trial.workspace('other'),
    };
    await proveDemo(proof, reached);
    await proveConformance(proof, reached);
  } finally {
    await trial.uninstall();
    await trial.close();
  }
}

export async function proveDemo(
  proof: Proof,
  { name, url, ingestUrl, dataDir, key, secret, hostIp }: Reached,
): Promise<void> {
  const said = await proof.step(`The demo through the Service, ${name}`, undefined, () =>
    tool('tools/demo/demo.ts', [], {
      DSR_URL: url,
      DSR_INGEST_URL: ingestUrl,
      DATA_DIR: dataDir,
      SANDBOX_KEY: key,
      SANDBOX_SECRET: secret,
      DEMO_RECEIVER_HOST: hostIp,
    }),
  );
  proof.checks.check(`the demo says: ${lastLine(said)}`, /All \d+ checks passed/.test(said));
}

export async function proveConformance(proof: Proof, reached: Reached): Promise<void> {
  const { dataDir, hostIp, key, secret, other } = reached;
  const [port = 0] = await freePorts(1);
  const { tls } = await placeOf(join(dataDir, 'certificates'), hostIp);
  const file = async (name: string, text: string) => {
    await writeFile(join(dataDir, name), text, { mode: 0o600 });
    return join(dataDir, name);
  };
  const place = `${hostIp}:${String(port)}`;
  const args = [
    ...['--base-url', reached.url, '--credentials-file'],
    await file('conformance.json', JSON.stringify({ key, secret, other })),
    ...['--ca', join(dataDir, 'certificates/authority.pem'), '--domains', reached.domains.join(',')],
    ...['--receiver-listen', place, '--receiver-url', `https://${place}`],
    ...['--receiver-key', await file('conformance.key', tls.keyPem)],
    ...['--receiver-cert', await file('conformance.pem', tls.chainPem)],
    ...['--notes', '--wait', '120s', '--callback-interval', '2s'],
  ];
  const said = await proof.step(`The conformance suite through the Service, ${reached.name}`, undefined, () =>
    tool('tools/conformance/conformance.ts', args),
  );
  proof.checks.note(lastLine(said));
  proof.checks.check(
    'no rule fails',
    said.split('\n').filter((line) => /^(\S+ +)?failed\b/.test(line)),
  );
}
