import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifyAttestation } from '@opendsr-service/client';
import { TOPICS } from '@opendsr-service/contracts';
import { Controller, requestBody } from '../e2e/controller';
import { awaitAttestation, awaitStatus } from '../e2e/follow';
import { SANDBOX, withLog } from '../e2e/operator';
import { awaitStarted } from '../e2e/reports';
import { reportRecord } from '../participant/report';
import { until } from '../receiver/until';
import { inFull } from './testing/full';
import { ask } from './testing/ask-operator';
import { create, takePart } from './testing/filled';
import { giveReason } from './testing/give-reason';
import { ALL_REPORTED, RECEIVED, untilSettled } from './testing/until-settled';
import type { Visitor } from './testing/visitor';
import { enterAs, enterSandbox, passing, visiting, type ConsoleWorld, type Rule } from './testing/world';

interface Audited {
  readonly entries: readonly object[];
}
interface Parked {
  readonly parked: readonly object[];
}
interface Keys {
  readonly api_keys: readonly { readonly key: string; readonly expires_time: string | null }[];
}

const pathOf = (id: string): string => `/requests/${SANDBOX}/${id}`;
const keyOf = (id: string): string => `${SANDBOX}:${id}`;

const submitTwice = (form: { requestSubmit(): void }): void => {
  form.requestSubmit();
  form.requestSubmit();
};

/** It is there a moment after the end of a request. */
const NO_ATTESTATION = /status of 404/;

/** What is changed with a button is changed in the service, for the role that may and with its reason. */
export function actionRules(rule: Rule): void {
  decisionRules(rule);
  parkedRules(rule);
  outcomeRules(rule);
  keyRules(rule);
  downloadRules(rule);
}

/** What the audit trail has about a request, the newest first. */
const auditedOf = async ({ page }: Visitor, id: string): Promise<readonly object[]> => {
  const { body } = await ask<Audited>(page, '/audit?limit=20');
  return body.entries.filter((entry) => 'subject_request_id' in entry && entry.subject_request_id === id);
};

function decisionRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('an officer cancels a request on behalf of its controller, who sees it as cancelled', async (world) => {
    const controller = new Controller(world.provided.service);
    const id = await create(controller, { subject_request_type: 'portability' });
    const work = async (officer: Visitor) => {
      await untilSettled(officer.page, id, RECEIVED);
      await officer.go(`/console${pathOf(id)}`);
      await giveReason(officer.page, 'Cancel the request', 'The controller asked by mail.');
      await officer.page.getByRole('button', { name: 'Cancel the request' }).waitFor({ state: 'detached' });
      // The button that had the focus is gone.
      await officer.page.locator('main:focus').waitFor();
      expect(await controller.status(id)).toMatchObject({ request_status: 'cancelled' });
      expect(await auditedOf(officer, id)).toEqual([
        expect.objectContaining({
          ...{
            action: 'request-cancel-asked',
            by: 'officer',
            role: 'officer',
            reason: 'The controller asked by mail.',
          },
        }),
      ]);
    };
    await passing(await enterAs(world, 'officer'), work, NO_ATTESTATION);
  });

  rule('a dialog sends its change once, stays while that runs, and then says what was refused', async (world) => {
    const work = async (officer: Visitor) => {
      const { page } = officer;
      const answered = Promise.withResolvers<undefined>();
      let sent = 0;
      await page.route('**/cancellation', async (route) => {
        sent += 1;
        await answered.promise;
        await route.fulfill({ status: 409, json: { status: 409 } });
      });
      await officer.go(`/console${pathOf(world.decidable.pending)}`);
      await page.getByRole('button', { name: 'Cancel the request', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('The controller asked by mail.');
      // As Enter twice, before the page is drawn again.
      await dialog.locator('form').evaluate(submitTwice);
      await dialog.getByRole('button', { name: 'Back', disabled: true }).waitFor();
      await page.keyboard.press('Escape');
      answered.resolve(undefined);
      await dialog.getByText('It was not done').waitFor();
      expect(sent).toBe(1);
      await dialog.getByRole('button', { name: 'Back' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await visiting(await enterAs(world, 'officer'), work, /status of 409/);
  });

  ruleInFull('an officer waives a participant that failed, and the request is completed without it', async (world) => {
    const { service } = world.provided;
    const { participant, receiver } = world.decidable;
    const id = await takePart(service, participant, receiver.url('/taken'));
    const work = async (officer: Visitor) => {
      const { page } = officer;
      await untilSettled(page, id, ALL_REPORTED);
      await officer.go(`/console${pathOf(id)}`);
      await page.getByRole('cell', { name: 'failed', exact: true }).waitFor();
      await giveReason(page, `Waive ${participant.name}`, 'It is switched off.');
      const { extensions } = await awaitStatus(new Controller(service), id, 'completed');
      expect(extensions).toMatchObject([{ name: participant.name, status: 'skipped' }]);
      await page.getByRole('button', { name: `Waive ${participant.name}` }).waitFor({ state: 'detached' });
      expect(await auditedOf(officer, id)).toContainEqual(
        expect.objectContaining({
          ...{ action: 'participant-waiver-asked', participant: participant.name, reason: 'It is switched off.' },
        }),
      );
    };
    await passing(await enterAs(world, 'officer'), work, NO_ATTESTATION);
  });
}

/** Reports of the participant about requests that are not there, two for each, which the service parks. */
async function parkReports({ provided, decidable }: ConsoleWorld, ...ids: readonly string[]): Promise<void> {
  const { name: participant, secret } = decidable.participant;
  const records = ids.flatMap((srid) =>
    (['failed', 'completed'] as const).map((status) =>
      reportRecord({ ws: SANDBOX, srid, participant, status }, secret, new Date()),
    ),
  );
  await withLog(provided.service, (log) => log.publisher.publish(TOPICS.participantReports.name, records));
}

/** Opens a list of parked records until it shows so many, beside its head. */
const openParked = (visitor: Visitor, filters: string, many: number): Promise<true> =>
  until(`${String(many)} parked records`, async () => {
    await visitor.go(`/console/parked?service=request&${filters}`);
    return (await visitor.page.getByRole('table').getByRole('link').filter({ hasText: 'request~' }).count()) === many;
  });

const parkedOf = async ({ page }: Visitor, id: string): Promise<readonly object[]> =>
  (await ask<Parked>(page, `/parked?key=${encodeURIComponent(keyOf(id))}`)).body.parked;

function parkedRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('parked records are shown by kind, which is in the address', async (world) => {
    await passing(await enterAs(world, 'operator'), async (operator) => {
      const { page } = operator;
      await operator.go('/console/parked?parked_reason=unknown-type');
      await page.getByLabel('Kind').selectOption({ label: 'Kind: waits behind another' });
      await page.waitForURL('**/console/parked?parked_reason=unknown-type&kind=waiting');
      await page.getByText('Nothing matches these filters').waitFor();
      await operator.go('/console/parked?parked_reason=unknown-type&kind=aside');
      await page.getByRole('table').getByRole('cell', { name: 'stands alone' }).waitFor();
      expect(await page.getByLabel('Kind').inputValue()).toBe('aside');
    });
  });

  ruleInFull('an operator drops a parked record, which is gone, and no other of its key', async (world) => {
    const id = randomUUID();
    await parkReports(world, id);
    await passing(
      await enterAs(world, 'operator'),
      async (operator) => {
        const { page } = operator;
        await openParked(operator, `key=${encodeURIComponent(keyOf(id))}`, 2);
        const [dropped, kept] = await parkedOf(operator, id);
        await page.getByRole('table').getByRole('link').filter({ hasText: 'request~' }).first().click();
        await operator.settled();
        await giveReason(page, 'Drop', 'The request was never created.');
        await page.getByText('The record was dropped').waitFor();
        expect(dropped).toBeDefined();
        expect(await parkedOf(operator, id)).toEqual([kept]);
      },
      /status of 404/,
    );
  });

  rule(
    'an operator has all records of a key handled again, and drops all that were parked for one reason',
    async (world) => {
      const controller = new Controller(world.provided.service);
      const body = requestBody({
        subject_identities: [{ identity_type: 'email', identity_value: 'cid@example.com', identity_format: 'raw' }],
      });
      const [known, unknown] = [body.subject_request_id, randomUUID()];
      await parkReports(world, known, unknown);
      await passing(await enterAs(world, 'operator'), async (operator) => {
        const { page } = operator;
        await openParked(operator, `key=${encodeURIComponent(keyOf(known))}`, 2);
        expect((await controller.create(body)).status).toBe(201);
        await awaitStarted(world.provided.service, known);
        await giveReason(page, 'Handle all of these again', 'The request is there now.');
        await page.getByText('2 will be handled again; 0 were marked already').waitFor();
        await awaitStatus(controller, known, 'completed');
        await operator.go('/console/parked?service=request&parked_reason=unknown-request');
        await giveReason(page, 'Drop all of these', 'The request was never created.');
        await page.getByText(/[1-9] were dropped; 0 stay/).waitFor();
        expect(await parkedOf(operator, unknown)).toEqual([]);
        const { body: left } = await ask<Parked>(page, '/parked?parked_reason=unknown-request');
        expect(left.parked).toEqual([]);
      });
    },
  );
}

function outcomeRules(rule: Rule): void {
  rule(
    'the page of a parked record says that it failed again, and that it is gone once it is dropped',
    async (world) => {
      const id = randomUUID();
      await parkReports(world, id);
      const work = async (operator: Visitor) => {
        const { page } = operator;
        await openParked(operator, `key=${encodeURIComponent(keyOf(id))}`, 2);
        await page.getByRole('table').getByRole('link').filter({ hasText: 'request~' }).first().click();
        await page.getByRole('heading', { level: 1, name: /^Parked record request~/ }).waitFor();
        await giveReason(page, 'Handle again', 'The request may be there now.');
        await page.getByText('It was handled again, and failed again').waitFor();
        await giveReason(page, 'Drop', 'The request was never created.');
        await page.getByText('The record was dropped').waitFor();
        await page.getByRole('heading', { name: 'This record is not parked any more' }).waitFor();
        expect(await page.getByRole('button', { name: /^(Handle again|Drop)$/ }).count()).toBe(0);
      };
      await passing(await enterAs(world, 'operator'), work, /status of 404/);
    },
  );
}

function keyRules(rule: Rule): void {
  rule('an administrator rotates an API key: a new one works at once, and the old one until its end', async (world) => {
    const { service } = world.provided;
    const { key: old, secret: oldSecret } = await service.other();
    const statusWith = async (key: string, secret: string): Promise<number> =>
      (await new Controller({ ...service, key, secret }).read(randomUUID())).status;
    await passing(await enterAs(world, 'admin'), async (admin) => {
      const { page } = admin;
      await admin.go('/console/workspaces/other');
      await page.getByRole('button', { name: `Rotate the key ${old}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Overlap').fill('1h');
      await dialog.getByLabel('Reason').fill('It is a year old.');
      await dialog.locator('button[type=submit]').click();
      const [key, secret] = [
        await dialog.getByLabel('Key', { exact: true }).inputValue(),
        await dialog.getByLabel('Secret', { exact: true }).inputValue(),
      ];
      expect(key).not.toBe(old);
      expect([await statusWith(key, secret), await statusWith(old, oldSecret)]).toEqual([404, 404]);
      expect(await statusWith(key, oldSecret)).toBe(401);
      await page.evaluate('void (navigator.clipboard.writeText = () => Promise.reject(new Error("denied")))');
      await dialog.getByRole('button', { name: 'Copy' }).first().click();
      await dialog.getByText('It was not copied').first().waitFor();
      await page.evaluate('delete navigator.clipboard.writeText');
      await dialog.getByRole('button', { name: 'I have kept it' }).click();
      const { body } = await ask<Keys>(page, '/workspaces/other/api-keys');
      const endOf = (name: string) => body.api_keys.find((one) => one.key === name)?.expires_time;
      expect(endOf(key)).toBeNull();
      const hourMs = 3_600_000;
      expect(Math.abs(Date.parse(String(endOf(old))) - Date.now() - hourMs)).toBeLessThan(hourMs / 2);
    });
  });
}

function downloadRules(rule: Rule): void {
  rule(
    'the bundle of an attestation that is downloaded is the one of the request, and proves itself',
    async (world) => {
      const { completed, controller } = world.filled;
      const { trust } = world.sandbox.service;
      await awaitAttestation(controller, completed);
      await passing(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        await visitor.go(`/console${pathOf(completed)}`);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Download the bundle' }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(`attestation-${completed}.json`);
        const { body: log } = await ask<{ verifier_key: string }>(page, '/transparency');
        const verdict = verifyAttestation(await readFile(await download.path()), {
          ...{ allowedDomains: trust.domains, trust: trust.authorityPem, logKey: log.verifier_key },
        });
        expect(verdict).toMatchObject({ valid: true, attestation: { requestId: completed } });
      });
    },
  );
}
