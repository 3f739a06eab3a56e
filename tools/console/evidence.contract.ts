import { readFile } from 'node:fs/promises';
import { Controller } from '../e2e/controller';
import { until } from '../receiver/until';
import { inFull } from './testing/full';
import { create } from './testing/filled';
import { enterAs, enterSandbox, passing, visiting, type Rule } from './testing/world';
import type { Visitor } from './testing/visitor';

const AUDIT = 'Audit in this browser';

async function audit({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: AUDIT }).click();
}

/** The public log, and what the browser proves of it. */
export function evidenceRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('a range of the log is audited in the browser, and its entries are saved', async (world) => {
    await passing(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.go('/console/evidence');
      await page.getByText('valid, checked in this browser').waitFor();
      await page.getByLabel('From entry').fill('0');
      await page.getByLabel('Before entry').fill('2');
      await audit(visitor);
      await page.getByText('Sound: 2 entries').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save these entries' }).click(),
      ]);
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { kind?: string }).kind)).toEqual(['receipt', 'receipt']);
      await page.getByLabel('Before entry').fill('0');
      expect(await page.getByRole('button', { name: AUDIT }).isDisabled()).toBe(true);
    });
  });

  ruleInFull(
    'a witness is shown with what is known of it: whether it has ever cosigned, and when last',
    async (world) => {
      await visiting(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        const witness = { name: 'w', has_cosigned: true, since: '2026-11-28T09:00:00.000Z', reason: 'away' };
        await page.route('**/operator/v1/transparency', async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as object;
          await route.fulfill({ response, json: { ...answer, witnesses: [witness] } });
        });
        await visitor.open('/console/evidence');
        const table = page.getByRole('table', { name: 'Witnesses' });
        const shown = ['Witness', 'Has ever cosigned', 'Cosigned last, or was asked first', 'Why not the last time'];
        expect(await table.getByRole('columnheader').allTextContents()).toEqual(shown);
      });
    },
  );

  ruleInFull('an entry that was changed is found, also where operators have a port of their own', async (world) => {
    await visiting(await enterAs(world, 'viewer'), async (visitor) => {
      const { page } = visitor;
      await create(new Controller(world.provided.service), { subject_request_type: 'portability' });
      await until('the log to have a checkpoint', async () => {
        await visitor.open('/console/evidence');
        return (await page.getByRole('button', { name: AUDIT }).count()) > 0;
      });
      await audit(visitor);
      await page.getByText(/Sound: \d/).waitFor();
      await page.route(/\/transparency\/tile\/entries\//, async (route) => {
        const body = await (await route.fetch()).body();
        body[body.length - 4] = (body[body.length - 4] ?? 0) ^ 1;
        await route.fulfill({ body, contentType: 'application/octet-stream' });
      });
      await page.reload();
      await visitor.settled();
      await audit(visitor);
      await page.getByText('NOT sound').waitFor();
    });
  });
}
