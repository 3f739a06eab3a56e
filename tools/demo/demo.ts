// `npm run demo`: acts as a controller, from discovery to an erased person.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { verifyAttestation } from '@opendsr-service/client';
import { V1, V2 } from '@opendsr-service/contracts';
import { linesOf, readArchive } from '../e2e/archive';
import { Controller, json, send, type Answer, type StatusRecord } from '../e2e/controller';
import { Receiver } from '../receiver/receiver';
import { until } from '../receiver/until';
import { fetchCertificate, signatureFaults, type Trust } from '../receiver/verification';
import { Checks } from './checks';
import sample from './people.json';
import { findOrStart, type Sandbox } from './sandbox';
import { awaitCallbacks, requestAbout, type Person } from './request-callbacks';

const usage = `npm run demo
  Uses the service at DSR_URL (default http://localhost:8080) with the sandbox credentials and certificates in DATA_DIR
  (default ./data), or SANDBOX_KEY and SANDBOX_SECRET. Starts one in a temporary folder if none answers. Exits with 0 if
  every check passed.
  DSR_INGEST_URL      the address for data, if it is not DSR_URL
  DEMO_RECEIVER_HOST  the name of this machine for a service that runs elsewhere (in containers: host.docker.internal).
                      The demo then receives callbacks at every address of this machine, with a certificate of that
                      name by the sandbox's authority`;

const people: readonly Person[] = sample;

/** A round takes seconds in the sandbox; the times of the interface would take days. */
const ROUND_MS = 60_000;

/** A version of the protocol as a controller uses it: how it calls, and whom it trusts there. */
interface Side {
  readonly controller: Controller;
  readonly trust: Trust;
}

class Demo {
  private readonly v2: Side;
  private readonly v1: Side;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly receiver: Receiver,
    private readonly checks: Checks,
  ) {
    this.v2 = { controller: new Controller(sandbox.account, V2), trust: sandbox.trust };
    this.v1 = { controller: new Controller(sandbox.account, V1), trust: sandbox.trustV1 };
  }

  async discover(): Promise<void> {
    const { trust } = this.sandbox;
    this.checks.step('What the service says of itself');
    const discovery = json<{
      api_version: string;
      supported_identities: unknown[];
      supported_subject_request_types: string[];
    }>(await send(`${trust.baseUrl}/v2/discovery`));
    const { api_version: version, supported_subject_request_types: types, supported_identities } = discovery;
    this.checks.check(
      `discovery answers version ${version}, ${types.join(', ')}, ${supported_identities.length} identity types`,
      version === '2.0',
    );
    const { url, pem } = await fetchCertificate(trust.baseUrl);
    this.checks.check(`its certificate is published at ${url}`, pem.includes('BEGIN CERTIFICATE'));
  }

  async ingestPeople(everybody: readonly Person[]): Promise<void> {
    this.checks.step(`Data of ${String(everybody.length)} fictional people comes in`);
    const answers = await Promise.all(everybody.map((person) => this.ingest(person)));
    this.checks.check(
      'identify answered each with a profile',
      otherThan(
        200,
        answers.map(({ identified }) => identified),
      ),
    );
    this.checks.check(
      'their events were taken',
      otherThan(
        202,
        answers.map(({ taken }) => taken),
      ),
    );
  }

  async access(person: Person): Promise<void> {
    this.checks.step(`${person.name} asks for access`);
    const { record } = await this.request(person, 'access', this.v2);
    const answer = await send(record.results_url ?? '');
    this.checks.check(
      'the results link answers a zip',
      answer.status === 200 && answer.headers.get('content-type') === 'application/zip',
    );
    const files = await readArchive(answer.body);
    const manifest = files.get('manifest.json')?.toString() ?? '';
    for (const [name, content] of files) {
      this.checks.note(`${name}  ${String(content.length)} bytes`);
      if (name !== 'manifest.json')
        this.checks.check(
          `the manifest lists the SHA-256 of ${name}`,
          manifest.includes(createHash('sha256').update(content).digest('hex')),
        );
    }
    const profiles = linesOf(files.get('profile.jsonl')) as { user_attributes: { name?: string } }[];
    this.checks.check(
      `the profile is that of ${person.name}`,
      profiles.some(({ user_attributes: { name } }) => name === person.name),
    );
    this.checks.check('the events are in it', linesOf(files.get('events-001.jsonl')).length > 0);
  }

  async erase(person: Person): Promise<void> {
    this.checks.step(`${person.name} asks to be erased`);
    const { record } = await this.request(person, 'erasure', this.v2);
    this.checks.check('an erasure has no results', record.results_url === null);
    await this.attested(record.subject_request_id);
    this.checks.step(`Is ${person.name} gone? A later access`);
    const later = await this.request(person, 'access', this.v2);
    this.checks.check(
      'the results link answers 404: nothing is held',
      (await send(later.record.results_url ?? '')).status === 404,
    );
  }

  private async attested(id: string): Promise<void> {
    this.checks.step('What the service attests of it, verified offline');
    const { controller, trust } = this.v2;
    const path = `${controller.path}/${id}/attestation/bundle`;
    const bundle = await until(
      'the attestation to be in the log',
      async () => {
        const answer = await controller.call('GET', path);
        return answer.status === 200 && answer.body;
      },
      ROUND_MS,
    );
    const verdict = verifyAttestation(bundle, {
      ...{ allowedDomains: trust.domains, trust: trust.authorityPem },
      logKey: await publishedLogKey(trust.baseUrl),
      requestId: id,
    });
    this.checks.check(
      'its signature and certificate are those of the service, and its log holds it',
      verdict.valid ? [] : [`check ${verdict.failed} failed`],
    );
    if (!verdict.valid) return;
    this.checks.note(`entry ${String(verdict.logged?.index)} of the log, signed ${String(verdict.logged?.at)}`);
    const { outcome, endedAt, destroyed, participants, erasure } = verdict.attestation;
    this.checks.note(`${outcome} at ${endedAt}, reported by ${participants.map(({ name }) => name).join(', ')}`);
    this.checks.note(
      `destroyed: profiles ${String(destroyed?.profiles)}, batches ${String(destroyed?.batches)}, ` +
        `archives ${String(destroyed?.archives)}, keys ${String(destroyed?.keys)}`,
    );
    this.checks.check('it says that everything was deleted twice', erasure?.secondPass === true);
  }

  async accessByVersion1(person: Person): Promise<void> {
    this.checks.step(`${person.name} asks for access through OpenGDPR 1.0, the older version beside`);
    const { status } = await send(`${this.v1.trust.baseUrl}/${V1.root}/discovery`);
    if (status === 404) {
      this.checks.note('this service does not serve it here');
      return;
    }
    const { record } = await this.request(person, 'access', this.v1);
    this.checks.check(
      `the status says version ${record.api_version}, and links to results under its root`,
      record.api_version === V1.apiVersion && record.results_url?.includes(`/${V1.root}/results/`) === true,
    );
  }

  private async ingest({ identities, attributes, events }: Person): Promise<{ identified: Answer; taken: Answer }> {
    const common = { user_identities: identities, timestamp_unixtime_ms: Date.now(), environment: 'production' };
    const identified = await this.v2.controller.ingest('/v1/identify', { ...common, user_attributes: attributes });
    const taken = await this.v2.controller.ingest('/v2/events', { ...common, events });
    return { identified, taken };
  }

  /** A whole round of one request, with everything that comes back checked. */
  private async request(person: Person, type: 'access' | 'erasure', side: Side): Promise<{ record: StatusRecord }> {
    const { controller, trust } = side;
    const about = requestAbout(person, { type, version: controller.version }, (path) =>
      this.receiver.url(path, this.sandbox.receiver.host),
    );
    const id = about.body.subject_request_id;
    const created = await controller.create(about.body);
    this.checks.check(`request ${id} was taken with 201`, created.status === 201);
    this.checks.check(
      'the receipt is signed with the published certificate, which leads to the trusted authority',
      await faultsOf(created, side),
    );
    const completed = await until(
      `the request to be completed (is the service's TIMING_PROFILE sandbox?)`,
      async () => {
        const answer = await controller.read(id);
        return json<StatusRecord>(answer).request_status === 'completed' && answer;
      },
      ROUND_MS,
    );
    this.checks.check('its status says completed, signed as well', await faultsOf(completed, side));
    const callbacks = await awaitCallbacks(this.receiver, about, { trust, version: controller.version }, ROUND_MS);
    for (const { body, faults } of callbacks)
      this.checks.check(
        `callback ${body.request_status}: domain, certificate, signature and address are right`,
        faults,
      );
    this.checks.check(
      'the callbacks came in order',
      callbacks.map(({ body }) => body.request_status).join() === 'pending,in_progress,completed',
    );
    return { record: json<StatusRecord>(completed) };
  }
}

/** The verifier key of the log, from the documentation of discovery. */
async function publishedLogKey(baseUrl: string): Promise<string> {
  const { paths } = json<{ paths: Record<string, { get: { description: string } }> }>(
    await send(`${baseUrl}/openapi/v2.json`),
  );
  const [, key] =
    /the verifier key of its checkpoints is `([^`]+)`/.exec(paths['/v2/discovery']?.get.description ?? '') ?? [];
  if (key === undefined) throw new Error('the service publishes no verifier key of its log');
  return key;
}

/** The answers that have another status, as faults. */
const otherThan = (wanted: number, answers: readonly Answer[]): string[] =>
  answers.filter(({ status }) => status !== wanted).map(({ status }) => `answered ${String(status)}`);

const faultsOf = (answer: Answer, { controller, trust }: Side): Promise<string[]> =>
  signatureFaults(answer.body, (name) => answer.headers.get(name) ?? undefined, trust, controller.version);

async function run(): Promise<number> {
  const checks = new Checks((line) => void process.stdout.write(`${line}\n`));
  const sandbox = await findOrStart(process.env);
  try {
    process.stdout.write(`The service ${sandbox.origin}.\n`);
    const receiver = await Receiver.start(sandbox.receiver.tls, { host: sandbox.receiver.bind, port: 0 });
    try {
      const demo = new Demo(sandbox, receiver, checks);
      const [first, second] = people;
      if (!first || !second) throw new Error('people.json is empty');
      await demo.discover();
      await demo.ingestPeople(people);
      await demo.access(first);
      await demo.accessByVersion1(first);
      await demo.erase(second);
    } finally {
      await receiver.close();
    }
  } finally {
    await sandbox.stop();
  }
  return checks.end();
}

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help === true) process.stdout.write(`${usage}\n`);
else
  run().then(
    (code) => void (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
