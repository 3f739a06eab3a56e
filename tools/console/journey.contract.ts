import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import type { Role } from '@opendsr-service/operator-access';
import { Controller, raw, requestBody } from '../e2e/controller';
import { SANDBOX, withLog, withParticipant } from '../e2e/operator';
import { reportRecord } from '../participant/report';
import { Receiver } from '../receiver/receiver';
import { until } from '../receiver/until';
import { inFull } from './testing/full';
import { giveReason } from './testing/give-reason';
import { RECEIVED, untilSettled } from './testing/until-settled';
import type { Visitor } from './testing/visitor';
import { enterAs, enterSandbox, passing, visiting, type ConsoleWorld, type Rule } from './testing/world';

/** Somebody with this role, who is signed in. */
const asRole = async (world: ConsoleWorld, role: Role, work: (visitor: Visitor) => Promise<void>): Promise<void> =>
  visiting(await enterAs(world, role), work);

async function created({ provided }: ConsoleWorld, email: string, more: object): Promise<string> {
  const body = requestBody({ subject_identities: [raw('email', email)], ...more });
  const answer = await new Controller(provided.service).create(body);
  expect(answer.status).toBe(201);
  return body.subject_request_id;
}

const PERSON = [raw('email', 'eve@example.com')];
const pathOf = (id: string): string => `/console/requests/${SANDBOX}/${id}`;

/** Opens a list until it shows this text: what it is of comes to the service a moment later. */
const listed = (visitor: Visitor, path: string, text: string): Promise<true> =>
  until(`${text} in ${path}`, async () => {
    await visitor.go(path);
    return (await visitor.page.getByRole('table').getByText(text).count()) > 0;
  });

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Gives a list of a request in two pages, as if it were long. */
async function inTwoPages(page: Visitor['page'], name: string, split: (rows: Rows) => readonly [Rows, Rows]) {
  await page.route(new RegExp(`/${name}\\?`), async (route) => {
    const url = route.request().url();
    const response = await route.fetch({ url: url.replace('cursor=rest', '') });
    const answer = (await response.json()) as Readonly<Record<string, Rows>>;
    const [first, second] = split(answer[name] ?? []);
    const isSecond = url.includes('cursor=rest');
    const json = { ...answer, [name]: isSecond ? second : first, next_cursor: isSecond ? null : 'rest' };
    return route.fulfill({ response, json });
  });
}

/** Paper shows what is folded on the screen, whole lists, and times with their zone. */
async function printsWhole({ page }: Visitor): Promise<void> {
  await page.evaluate("window.print = () => { dispatchEvent(new Event('beforeprint')); window.isPrinted = true; }");
  const queued = page.getByText('Callback queued').first();
  expect([await queued.count(), await page.locator('.console-attempts:visible').count()]).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Print' }).click();
  await until('the page to be printed', () => page.evaluate<boolean>('window.isPrinted === true'));
  await page.emulateMedia({ media: 'print' });
  await page.locator('.console-attempts').first().waitFor();
  await queued.waitFor();
  expect(await page.getByText('the rest of it was not read').count()).toBe(0);
  await page.getByRole('cell', { name: 'another' }).waitFor();
  const zone = await page.evaluate<string>("getComputedStyle(document.querySelector('time'), '::after').content");
  expect(zone).toMatch(/\d UTC/);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator('.console-attempts:visible').count()).toBe(0);
}

/** What newcomers, officers and operators do, from the beginning to the end. */
export function journeyRules(rule: Rule): void {
  newcomerRules(rule);
  officerRules(rule);
  operatorRules(rule);
  administratorRules(rule);
}

/** An end is signed and put on the log a moment after it; the page asks again when it hears of that. */
const NOT_ATTESTED_YET = /status of 404 \(Not Found\)$/;

function newcomerRules(rule: Rule): void {
  rule(
    'a newcomer creates an erasure in the page, sees its verified callbacks, and verifies the attestation',
    async (world) => {
      await passing(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          await visitor.go('/console/first-run');
          await page.getByLabel('What the person asks for').selectOption('erasure');
          await page.getByRole('button', { name: 'Create the request' }).click();
          const callbacks = page.getByRole('log');
          for (const status of ['pending', 'in progress', 'completed'])
            await callbacks.getByRole('heading', { name: `The request is ${status}` }).waitFor();
          await callbacks.getByText('Verified: the service signed it').nth(2).waitFor();
          expect(await callbacks.getByText('Not verified').count()).toBe(0);
          await page.locator('a.console-id').first().click();
          await visitor.settled();
          await page.getByRole('button', { name: 'Verify in this browser' }).click();
          await page.getByText('It is valid').waitFor();
        },
        NOT_ATTESTED_YET,
      );
    },
  );
}

function officerRules(rule: Rule): void {
  rule('an officer extends the legal date, and sees an identity once somebody else has approved', async (world) => {
    const email = `${randomUUID()}@example.com`;
    const id = await created(world, email, { subject_request_type: 'portability' });
    await asRole(world, 'officer', async (officer) => {
      const { page } = officer;
      await untilSettled(page, id, RECEIVED);
      await officer.go('/console/audit');
      await page.keyboard.press('/');
      await page.keyboard.type(id);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${pathOf(id)}`);
      await giveReason(page, 'Extend the legal date', 'The archive of 2019 is on tape.');
      await page.getByText('by a person with the role officer').waitFor();
      await giveReason(page, 'Show the identities', 'The data subject complains.');
      await page.getByText('Somebody else must approve it').waitFor();
      await passing(await enterAs(world, 'admin'), async (admin) => {
        await admin.go('/console/reveals');
        const approve = `Approve to show whom ${id} is about`;
        await giveReason(admin.page, approve, 'I have the letter too.');
        await admin.page.getByRole('button', { name: approve }).waitFor({ state: 'detached' });
      });
      expect(await page.getByText(email).count()).toBe(0);
      await giveReason(page, 'Show the identities', 'The data subject complains.');
      await page.getByText(email).waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const hidden of [page.getByText(email), page.getByRole('navigation')])
        await hidden.waitFor({ state: 'hidden' });
      expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
      expect(await page.getByText(id).first().isVisible()).toBe(true);
      await page.emulateMedia({ media: 'screen' });
      // It was read a short time ago, in the same page of the browser.
      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByRole('table').getByText('identities-revealed').waitFor();
      expect(await page.getByText(email).count()).toBe(0);
    });
  });
}

function operatorRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('an operator sees which receiver fails, and sends its callback again once it is repaired', async (world) => {
    const receiver = await Receiver.start(world.provided.service.receiverTls);
    try {
      let isRepaired = false;
      receiver.answer('/callbacks', () => ({ status: isRepaired ? 202 : 500 }));
      const urls = { status_callback_urls: [receiver.url('/callbacks')] };
      const id = await created(world, 'ann@example.com', { subject_request_type: 'portability', ...urls });
      await receiver.wait('/callbacks', 1);
      await asRole(world, 'operator', async (operator) => {
        const { page } = operator;
        await listed(operator, '/console/destinations?state=failing', 'fails');
        isRepaired = true;
        await inTwoPages(page, 'events', (rows) => [rows.slice(0, 1), rows.slice(1)]);
        await inTwoPages(page, 'callbacks', (rows) => [rows, rows.map((row) => ({ ...row, delivery_id: 'another' }))]);
        await operator.go(pathOf(id));
        await page.getByRole('table', { name: 'Callbacks' }).getByText('taken').first().waitFor();
        const queue = page.getByRole('table', { name: 'Queues of callbacks (callback-dispatcher)' });
        await queue.getByRole('row').nth(1).waitFor();
        await page.getByRole('heading', { name: 'Decisions (request)' }).waitFor();
        await printsWhole(operator);
        await page.getByRole('button', { name: 'Search the event log' }).click();
        const records = page.getByRole('table', { name: 'Records on the log' });
        for (const type of ['SubmitRequest', 'RequestReceived', 'CallbackAttempted'])
          await records.getByText(type).first().waitFor();
        const received = receiver.received('/callbacks').length;
        await giveReason(page, 'Send this callback again', 'The receiver lost it.');
        await receiver.wait('/callbacks', received + 1);
        await operator.go('/console/destinations?state=ok');
        await until('the host delivers', async () => {
          await page.getByRole('button', { name: 'Read again' }).click();
          await operator.settled();
          return (await page.getByRole('table').getByText('delivers').count()) > 0;
        });
      });
    } finally {
      await receiver.close();
    }
  });

  ruleInFull('an operator has a parked record handled again, once its cause is gone', async (world) => {
    const { service } = world.provided;
    const id = await created(world, 'bob@example.com', { subject_request_type: 'portability' });
    const report = (secret: string) =>
      reportRecord({ ws: SANDBOX, srid: id, participant: 'crm', status: 'completed' }, secret, new Date());
    await asRole(world, 'operator', async (operator) => {
      const { page } = operator;
      await withParticipant(service, { name: 'erp', types: 'erasure' }, async ({ secret }) => {
        await withLog(service, (log) => log.publisher.publish(TOPICS.participantReports.name, [report(secret)]));
        await listed(operator, '/console/parked?service=request&parked_reason=not-registered', 'not-registered');
        await page.getByRole('table').getByRole('link').first().click();
        await operator.settled();
      });
      await giveReason(page, 'Handle again', 'The participant is registered now.');
      await page.getByText(/1 will be handled again|failed again/).waitFor();
      await page.getByRole('link', { name: `${SANDBOX}:${id}` }).click();
      await page.waitForURL(`**/console/parked?service=request&key=${encodeURIComponent(`${SANDBOX}:${id}`)}`);
      expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(`${SANDBOX}:${id}`);
    });
  });
}

function administratorRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  ruleInFull('an administrator makes an API key, whose secret is shown once, and revokes it', async (world) => {
    const { service } = world.provided;
    const statusWith = async (key: string, secret: string): Promise<number> =>
      (await new Controller({ ...service, key, secret }).create(requestBody({ subject_identities: PERSON }))).status;
    await asRole(world, 'admin', async (admin) => {
      const { page } = admin;
      await admin.go(`/console/workspaces/${SANDBOX}`);
      await page.getByRole('button', { name: 'Make a key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('A second system calls.');
      await dialog.locator('button[type=submit]').click();
      const key = await dialog.getByLabel('Key', { exact: true }).inputValue();
      const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
      expect(await statusWith(key, secret)).toBe(201);
      await dialog.getByRole('button', { name: 'I have kept it' }).click();
      await admin.open(`/console/workspaces/${SANDBOX}`);
      expect(await page.content()).not.toContain(secret);
      await page.getByRole('button', { name: `Revoke the key ${key}` }).click();
      await dialog.getByText('refused within 30 seconds').waitFor();
      await dialog.getByRole('button', { name: 'Back' }).click();
      await giveReason(page, `Revoke the key ${key}`, 'The system is gone.');
      await page.getByRole('row').filter({ hasText: key }).getByText('revoked', { exact: true }).waitFor();
    });
  });
}
