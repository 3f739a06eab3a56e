// `npm run conformance`: proves the rules of OpenDSR and OpenGDPR against any processor, from outside (docs/conformance.md).
import { readFile, writeFile } from 'node:fs/promises';
import { V1, V2, type ApiVersion } from '@opendsr-service/contracts';
import { Receiver } from '../receiver/receiver';
import { Caller } from './caller';
import { junitOf } from './junit';
import { readCommandLine, type CommandLine, type ReceiverWish } from './options';
import { runConformance } from './run';
import { summaryOf, tableOf } from './table';
import type { Account, Target } from './target';

const usage = `npm run conformance -- --base-url https://dsr.example [options]
  --base-url URL, --v1-base-url URL   addresses without /v2 and /v1; --versions 1.0,2.0 (default: those whose discovery answers)
  --credentials-file FILE             {"key", "secret", "other": {"key", "secret"}};
                                      or DSR_CONFORMANCE_KEY, _SECRET, _OTHER_KEY, _OTHER_SECRET;
                                      or --key, --secret, --other-key, --other-secret, which other users of this machine can see
  --ca FILE                           authorities for TLS and for the processor certificates
  --domains a,b                       the accepted values of the processor domain header
  --receiver-listen HOST:PORT --receiver-url https://...  [--receiver-key FILE --receiver-cert FILE]   for the rules about callbacks
  --known TYPE=VALUE                  an identity with data in the processor: the run fetches its results and changes nothing
  --old-results-url URL               a results link that is more than seven days old
  --wait 30s                          the longest time for a change of status or a callback
  --portability-wait 20m              the same for portability requests
  --callback-interval 15m             the interval of callbacks: with a shorter --wait a missing callback proves nothing
  --notes                             also the rules of docs/protocol.md for open questions of the interface
  --slow                              also the rules of more than a hundred calls
  --only create,cancel.twice          topics or ids        --pending-type portability   the type that stays pending longest
  --calls-per-minute 600              0: no limit          --keep   do not cancel the requests of the run
  --json FILE, --junit FILE           the rows for programs
Exits with 0 if no row failed, 1 if a row failed, 2 if it could not begin. Rows without enough time are undecided.
See docs/conformance.md.`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

class UsageError extends Error {}

async function run(args: readonly string[]): Promise<number> {
  const line = command(args);
  const account = await accounts(line);
  const authorityPem = line.authorityFile === undefined ? undefined : await file(line.authorityFile);
  const baseUrls = await answering(line, authorityPem);
  announce(line, baseUrls);
  const receiver = line.receiver && (await startReceiver(line.receiver));
  try {
    const target: Target = {
      ...account,
      baseUrls,
      domains: line.domains,
      authorityPem,
      receiver: receiver?.face,
      known: line.known,
      oldResultsUrl: line.oldResultsUrl,
    };
    const report = await runConformance(target, line.options);
    for (const text of [...tableOf(report), '', ...summaryOf(report)]) say(text);
    if (line.jsonFile !== undefined) await writeFile(line.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
    if (line.junitFile !== undefined) await writeFile(line.junitFile, junitOf(report.rows));
    return report.rows.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } finally {
    await receiver?.close();
  }
}

function command(args: readonly string[]): CommandLine {
  try {
    return readCommandLine(args, process.env);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function accounts(line: CommandLine): Promise<{ account: Account; other?: Account }> {
  const kept = line.credentialsFile === undefined ? {} : credentialsIn(await file(line.credentialsFile));
  const account = line.account ?? (kept.key && kept.secret ? { key: kept.key, secret: kept.secret } : undefined);
  if (!account)
    throw new UsageError(
      'credentials are needed: --credentials-file, or DSR_CONFORMANCE_KEY and DSR_CONFORMANCE_SECRET',
    );
  return { account, other: line.other ?? kept.other };
}

interface KeptCredentials extends Partial<Account> {
  readonly other?: Account;
}

function credentialsIn(json: string): KeptCredentials {
  try {
    return JSON.parse(json) as KeptCredentials;
  } catch {
    throw new UsageError('--credentials-file does not hold JSON');
  }
}

const file = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read`);
  });

/** The addresses of the versions under test: those that are named, else those whose discovery answers. */
async function answering(
  { baseUrl, v1BaseUrl = baseUrl, versions, options }: CommandLine,
  authorityPem?: string,
): Promise<Target['baseUrls']> {
  const caller = new Caller({ authorityPem, callsPerMinute: options.callsPerMinute });
  const found: Partial<Record<ApiVersion, string>> = {};
  for (const [version, url] of [
    [V2, baseUrl],
    [V1, v1BaseUrl],
  ] as const) {
    if (url === undefined || versions?.includes(version.apiVersion) === false) continue;
    const answers =
      versions !== undefined ||
      (await caller.send({ method: 'GET', url: `${url}/${version.root}/discovery` }).then(
        ({ status }) => status === 200,
        () => false,
      ));
    if (answers) found[version.apiVersion] = url;
  }
  caller.close();
  if (Object.keys(found).length === 0)
    throw new UsageError(
      `no version's discovery answers at ${[...new Set([baseUrl, v1BaseUrl])].filter(Boolean).join(' or ')}`,
    );
  return found;
}

function announce({ options }: CommandLine, baseUrls: Target['baseUrls']): void {
  for (const [version, url] of Object.entries(baseUrls)) say(`Version ${version} at ${url}`);
  say(
    'The run makes some hundreds of access, portability and erasure requests about people who do not exist (addresses at',
  );
  const rate = options.callsPerMinute === 0 ? 'without a limit' : `at most ${options.callsPerMinute} calls a minute`;
  const end = options.keep ? 'It leaves them as they are.' : 'It cancels those that can still be cancelled.';
  say(`example.com and random ids), ${rate}. ${end}`);
  say('');
}

async function startReceiver({ host, port, url, keyFile, certFile }: ReceiverWish) {
  const tls =
    keyFile !== undefined && certFile !== undefined
      ? { keyPem: await file(keyFile), chainPem: await file(certFile) }
      : undefined;
  const receiver = await Receiver.start(tls, { host, port });
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  const face: NonNullable<Target['receiver']> = {
    url: (path) => `${url}${path}`,
    received: (path) => receiver.received(`${prefix}${path}`),
    answer: (path, answering) => receiver.answer(`${prefix}${path}`, answering),
  };
  return { face, close: () => receiver.close() };
}

if (process.argv.includes('--help') || process.argv.includes('-h')) say(usage);
else
  run(process.argv.slice(2)).then(
    (code) => void (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(
        `conformance: ${error instanceof Error ? error.message : String(error)}\n${error instanceof UsageError ? `\n${usage}\n` : ''}`,
      );
      process.exitCode = 2;
    },
  );
