import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../receiver/until';
import { watchCallbacks } from './callback-watch';
import { requestBody, send } from './controller';
import { awaitStatus } from './follow';
import { dsr, gatewayAdminUrl, SANDBOX, withParticipant, type Registered } from './operator';
import { awaitStarted, report } from './reports';
import type { Service } from './service';
import { withExample } from './take-part';
import { identitiesOf, somebody, type Person, type Rule, type World } from './world';

/** As long as any request is waited for. */
const RELEASED_MS = 120_000;

/** Creates a request and answers its id. */
async function created({ controller }: World, person: Person, more: object = {}): Promise<string> {
  const body = requestBody({ subject_request_type: 'erasure', subject_identities: identitiesOf(person), ...more });
  expect((await controller.create(body)).status).toBe(201);
  return body.subject_request_id;
}

const shown = ({ name, domain }: Registered, status: string, status_message: string | null = null) => [
  { domain, name, status, status_message },
];

const awaitExtensions = ({ controller }: World, srid: string, extensions: object) =>
  until(`the status to show ${JSON.stringify(extensions)}`, async () => {
    const record = await controller.status(srid);
    return JSON.stringify(record.extensions) === JSON.stringify(extensions) && record;
  });

function ask(service: Service, srid: string, { name, secret }: Pick<Registered, 'name' | 'secret'>) {
  return send(`${gatewayAdminUrl(service)}/internal/requests/${SANDBOX}/${srid}/identities`, {
    headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
  });
}

const waive = (service: Service, srid: string, name: string, reason: string) =>
  dsr(
    service,
    'participants',
    'waive',
    '--workspace',
    SANDBOX,
    '--request',
    srid,
    '--name',
    name,
    '--by',
    'the operator on duty',
    '--reason',
    reason,
  );

/** Outside participants (decision 8; docs/participants.md). */
export function participantRules(rule: Rule): void {
  reportRules(rule);
}

function reportRules(rule: Rule): void {
  rule('a request waits for a participant registered at run time, which may fail and report again', async (world) => {
    const { controller, service } = world;
    await withParticipant(service, { name: 'crm', types: 'erasure,portability' }, async (crm) => {
      const watch = watchCallbacks(world);
      const person = somebody(world);
      const srid = await created(world, person, { status_callback_urls: [watch.url] });
      await awaitExtensions(world, srid, shown(crm, 'pending'));
      const answered = await ask(service, srid, crm);
      expect(answered.status).toBe(200);
      expect(answered.body.toString()).toContain(person.email);
      expect((await ask(service, srid, { ...crm, secret: 'dsrp_wrong' })).status).toBe(401);

      // The forged report comes first, and under one key they are taken in this order: had it counted, nothing could fail after it.
      await report(service, srid, { ...crm, secret: 'dsrp_wrong' }, { status: 'completed' });
      await report(service, srid, crm, {
        status: 'failed',
        statusMessage: 'The archive of 2024 could not be reached.',
      });
      expect(
        (await awaitExtensions(world, srid, shown(crm, 'failed', 'The archive of 2024 could not be reached.')))
          .request_status,
      ).toBe('in_progress');
      await report(service, srid, crm, { status: 'completed' }, { status: 'completed' });
      expect((await awaitStatus(controller, srid, 'completed')).extensions).toEqual(shown(crm, 'sent'));
      await until('the callbacks of the request', () => watch.statuses().length === 3);
      expect(watch.seen.flatMap(({ faults }) => faults)).toEqual([]);
      expect(watch.withoutRepeats().map(({ body }) => [body.request_status, body.extensions])).toEqual([
        ['pending', null],
        ['in_progress', shown(crm, 'pending')],
        ['completed', shown(crm, 'sent')],
      ]);
    });
  });
}

/** What an operator does about a participant that is gone. */
export function waiverRule(rule: Rule): void {
  rule(
    'a removed participant gets no new requests; one that waits for it completes once it is waived',
    async (world) => {
      const { controller, service } = world;
      const access = { subject_request_type: 'access' };
      let stuck = '';
      let lost: Registered | undefined;
      await withParticipant(service, { name: 'lost', types: 'access' }, async (registered) => {
        lost = registered;
        stuck = await created(world, somebody(world), access);
        await awaitExtensions(world, stuck, shown(registered, 'pending'));
        await awaitStarted(service, stuck);
      });
      const later = await created(world, somebody(world), access);
      expect((await awaitStatus(controller, later, 'completed')).extensions).toBeNull();
      expect((await controller.status(stuck)).request_status).toBe('in_progress');
      expect(await waive(service, stuck, 'lost', 'The system was shut down.')).toMatchObject({ code: 0 });
      expect((await awaitStatus(controller, stuck, 'completed')).extensions).toEqual(
        lost && shown(lost, 'skipped', 'The system was shut down.'),
      );
    },
  );
}

/**
 * Removes their data from the customers' file and waits until the refused request is completed. The participant may
 * overwrite this with older content, so it is repeated until it stays; the participant repeats its own work as well.
 */
function completedOnRelease({ controller }: World, file: string, srid: string) {
  return until(
    'the request to be completed that was refused',
    async () => {
      const customers = await readFile(file, 'utf8');
      if (customers.includes('"hold": true')) {
        await writeFile(`${file}.released`, customers.replace('"hold": true', '"hold": false'));
        await rename(`${file}.released`, file);
      }
      const record = await controller.status(srid);
      return record.request_status === 'completed' && record;
    },
    RELEASED_MS,
  );
}

/** The example that others start from. */
export function exampleRule(rule: Rule): void {
  rule(
    'the example participant erases and exports customers, and repeats a share that it reported as failed',
    async (world) => {
      const { controller, service } = world;
      const [erased, kept, exported] = [somebody(world), somebody(world), somebody(world)];
      const folder = await mkdtemp(join(tmpdir(), 'opendsr-e2e-participant-'));
      const file = join(folder, 'customers.json');
      await writeFile(
        file,
        JSON.stringify({
          customers: [{ email: erased.email }, { email: kept.email, hold: true }, { email: exported.email }],
        }),
      );
      try {
        await withParticipant(service, { name: 'shop', types: 'erasure,access' }, (shop) =>
          withExample(service, shop, file, async () => {
            const [erasure, refused, access] = await Promise.all([
              created(world, erased),
              created(world, kept),
              created(world, exported, { subject_request_type: 'access' }),
            ]);
            for (const srid of [erasure, access])
              expect((await awaitStatus(controller, srid, 'completed')).extensions).toEqual(shown(shop, 'sent'));
            await awaitExtensions(
              world,
              refused,
              shown(shop, 'failed', 'An open invoice forbids it for now; it is tried again.'),
            );
            expect(await readFile(file, 'utf8')).not.toContain(erased.email);
            expect(await readFile(`${file}.${access}`, 'utf8')).toContain(exported.email);

            expect((await completedOnRelease(world, file, refused)).extensions).toEqual(shown(shop, 'sent'));
            expect(await readFile(file, 'utf8')).not.toContain(kept.email);
          }),
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
}
