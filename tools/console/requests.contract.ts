import { readFile } from 'node:fs/promises';
import { enterSandbox, visiting, type Rule } from './testing/world';

/** The list of requests. */
export function requestsRules(rule: Rule): void {
  rule('a filter is in the address, and the address shows the same list again', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.open('/console/requests');
      const ids = page.getByRole('table').getByRole('link');
      await ids.filter({ hasText: world.filled.completed }).waitFor();
      await page.getByLabel('Status').selectOption('pending');
      await page.waitForURL('**/console/requests?status=pending');
      await ids.filter({ hasText: world.filled.completed }).waitFor({ state: 'detached' });
      await visitor.open('/console/requests?status=pending');
      await ids.filter({ hasText: world.filled.waiting }).waitFor();
      expect(await page.getByLabel('Status').inputValue()).toBe('pending');
    });
  });

  rule('what the list shows is saved as CSV, with text that a spreadsheet does not run', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.open('/console/requests');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      const [titles, ...rows] = (await readFile(await download.path(), 'utf8')).split('\r\n');
      expect([download.suggestedFilename(), titles]).toEqual(['requests.csv', expect.stringContaining('Request,')]);
      for (const id of [world.filled.waiting, world.filled.completed])
        expect(rows.filter((row) => row.startsWith(id))).toHaveLength(1);
    });
  });

  rule('a list without a match says what to do', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      await visitor.open('/console/requests?status=cancelled');
      await visitor.page.getByText('Nothing matches these filters').waitFor();
    });
  });

  rule('times are those of the viewer, and UTC is in their title', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      await visitor.open('/console/requests');
      const time = visitor.page.getByRole('table').locator('time').first();
      const [title, at] = [await time.getAttribute('title'), await time.getAttribute('datetime')];
      expect(title).toBe(`${String(at).slice(0, 19).replace('T', ' ')} UTC`);
      const berlin = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Europe/Berlin' });
      expect(await time.textContent()).toContain(berlin.format(new Date(String(at))));
    });
  });
}
