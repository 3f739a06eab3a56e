// node tools/run.mjs tools/images/compose-check.ts [FILE]: checks both compose files, or one, on local images
// (tools/images/stand-ins.sh). Runs the demo from outside, restarts one service and then all, and checks the rights of
// containers.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../e2e/free-ports';
import { faultsOf, processOf, type ComposeContainer } from './compose/containers';
import { ComposeProject } from './compose/project';
import { must } from './command';

/** A compose file with the differences for its user. */
interface Form {
  readonly file: string;
  /** Whose container holds the sandbox's credentials and certificates, and where. */
  readonly data: { readonly service: string; readonly folder: string };
  readonly restarted: string;
  readonly ingestPort: (ports: readonly number[]) => number;
}

const forms: readonly Form[] = [
  {
    file: 'docker/compose.standalone.yaml',
    data: { service: 'standalone', folder: '/data' },
    restarted: 'standalone',
    ingestPort: ([port = 0]) => port,
  },
  {
    file: 'docker/compose.yaml',
    data: { service: 'gateway', folder: '/run/secrets/opendsr' },
    restarted: 'request',
    ingestPort: ([, port = 0]) => port,
  },
];

const {
  OPENDSR_IMAGE = 'opendsr-service:local',
  KAFKA_IMAGE = 'opendsr-kafka:local',
  MONGODB_IMAGE = 'opendsr-mongod:local',
} = process.env;
const images = { OPENDSR_IMAGE, KAFKA_IMAGE, MONGODB_IMAGE };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = performance.now();
  const result = await work();
  say(`  ${what}: ${((performance.now() - before) / 1000).toFixed(1)} s`);
  return result;
}

function demand(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`${what}: ${faults.join('; ')}`);
  say(`  ${what}`);
}

async function check(form: Form): Promise<void> {
  say(`\n${form.file}`);
  const ports = await freePorts(3);
  // The older Compose gives up after a minute, and some storage drivers copy whole images.
  const env = {
    ...images,
    COMPOSE_HTTP_TIMEOUT: '600',
    OPENDSR_PORT: String(ports[0]),
    OPENDSR_INGEST_PORT: String(ports[1]),
    OPENDSR_OPERATOR_PORT: String(ports[2]),
  };
  const project = await ComposeProject.create(`opendsr-check-${randomBytes(3).toString('hex')}`, form.file, env);
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-compose-'));
  try {
    await timed('up, from nothing to healthy', () => project.up());
    await project.copy(form.data.service, `${form.data.folder}/.`, folder);
    const urls = {
      DSR_URL: `http://localhost:${String(ports[0])}`,
      DSR_INGEST_URL: `http://localhost:${String(form.ingestPort(ports))}`,
    };
    const demo = await timed('demo from outside', () =>
      runDemo({ ...urls, DATA_DIR: folder, DEMO_RECEIVER_HOST: 'host.docker.internal' }),
    );
    say(`    ${demo.trim().split('\n').at(-1) ?? ''}`);
    const kept = keptRequest(urls.DSR_URL, demo, folder);
    await checkContainers(await project.containers());
    demand(
      'the log shows a link that signs in to the console, once',
      await signInFaults(await project.run('logs', form.data.service)),
    );
    await timed(`restart of ${form.restarted}`, () => project.restart(form.restarted));
    demand('a request of before is answered', await kept());
    await timed('down, volumes kept', () => project.down());
    await timed('up again', () => project.up());
    demand('a request of before is answered', await kept());
  } catch (error) {
    // Before all is taken down, because that may fail as well.
    say(`  ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  } finally {
    await project.remove();
    await rm(folder, { recursive: true });
  }
}

const runDemo = (env: Readonly<Record<string, string>>): Promise<string> =>
  must(process.execPath, ['tools/run.mjs', 'tools/demo/demo.ts'], env);

/** Reads a request of the demo; returns its faults. */
function keptRequest(url: string, demo: string, folder: string): () => Promise<string[]> {
  const id = /request (\S+) was taken/.exec(demo)?.[1] ?? '';
  return async () => {
    const { key, secret } = JSON.parse(await readFile(join(folder, 'sandbox-credentials.json'), 'utf8')) as {
      key: string;
      secret: string;
    };
    const answer = await fetch(`${url}/v2/requests/${id}`, {
      headers: { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` },
    });
    const { request_status: status } = (await answer.json()) as { request_status?: string };
    return answer.status === 200 && status === 'completed' ? [] : [`${String(answer.status)}, ${String(status)}`];
  };
}

/** Uses the link of a sandbox twice. */
async function signInFaults(log: string): Promise<string[]> {
  const link = /console +(http\S+) \(signs in once\)/.exec(log)?.[1];
  if (link === undefined) return ['there is no link'];
  const { origin, hash } = new URL(link);
  const use = () =>
    fetch(`${origin}/operator/v1/sign-in/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: hash.slice(1) }),
    });
  const answers = [await fetch(`${origin}/console/`), await use(), await use()];
  const isIn = answers.map(({ ok }) => ok).join() === 'true,true,false';
  return isIn ? [] : [answers.map(({ status }) => status).join()];
}

/** What the containers may do and did, and the memory that they take. */
async function checkContainers(containers: readonly ComposeContainer[]): Promise<void> {
  for (const container of containers.filter(({ pid }) => pid > 0))
    say(`    ${container.service}: ${String((await processOf(container)).memoryMiB)} MiB`);
  demand(
    'nothing runs as root or has rights, and nothing of ours wrote anywhere but into volumes',
    (await Promise.all(containers.map(faultsOf))).flat(),
  );
}

try {
  for (const form of forms.filter(({ file }) => process.argv.length < 3 || process.argv.slice(2).includes(file)))
    await check(form);
  say('\nAll is as it must be.');
} catch (error) {
  process.stderr.write(
    `compose-check: ${error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)}\n`,
  );
  process.exitCode = 1;
}
