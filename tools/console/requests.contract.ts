import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { until } from '../receiver/until';
import { inFull } from './testing/full';
import { findingsOn } from './testing/axe';
import { LONG, longListPage } from './testing/long-list';
import { create } from './testing/filled';
import { giveReason } from './testing/give-reason';
import { enterSandbox, passing, visiting, type Rule } from './testing/world';

/** The list of requests. */
export function requestsRules(rule: Rule): void {
  shownRules(rule);
  changeRules(rule);
}

/** Labels of filters, what is typed, and the filter. The day is one of the zone of the visitor, in American order. */
const TYPED = [
  ['Workspace', 'sandbox', 'workspace=sandbox'],
  ['Received from', '11012025', 'received_from=2025-10-31T23%3A00%3A00.000Z'],
] as const;

/** Five rows below the head of the table. */
const LEAST_LIST_PX = 240;

interface Scrolled {
  readonly scrollHeight: number;
  scrollTo(left: number, top: number): void;
}

/** Where it ends, from the top of the screen. */
async function endOf(place: Locator): Promise<number> {
  const { y = Infinity, height = 0 } = (await place.boundingBox()) ?? {};
  return y + height;
}

const toEnd = (region: Scrolled): void => region.scrollTo(0, region.scrollHeight);
const toBegin = (region: Scrolled): void => region.scrollTo(0, 0);

function changeRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('a request that changes does so in its row, and newer ones wait until they are asked for', async (world) => {
    const { controller } = world.filled;
    const id = await create(controller, { subject_request_type: 'portability' });
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.open('/console/requests?status=pending');
      const row = page.getByRole('row').filter({ hasText: id });
      await row.getByText('pending').waitFor();
      await page.evaluate('window.notReadAgain = true');
      expect((await controller.cancel(id)).status).toBe(202);
      await row.getByText('cancelled').waitFor();
      const newer = await create(controller, { subject_request_type: 'portability' });
      const offer = page.getByRole('button', { name: 'There may be newer ones' });
      await offer.waitFor();
      expect(await page.getByText(newer).count()).toBe(0);
      await offer.click();
      await page.getByRole('row').filter({ hasText: newer }).waitFor();
      await row.waitFor({ state: 'detached' });
      expect(await page.evaluate('window.notReadAgain')).toBe(true);
    });
  });

  ruleInFull('a dialog stays when its request changes, and what was decided before is refused', async (world) => {
    const { controller, pathOf } = world.filled;
    const id = await create(controller, { subject_request_type: 'portability' });
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        const { page } = visitor;
        await visitor.go(`/console${pathOf(id)}`);
        const button = page.locator('main').getByRole('button', { name: 'Cancel the request', includeHidden: true });
        await button.click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Reason').fill('The controller asked for it.');
        expect((await controller.cancel(id)).status).toBe(202);
        await button.waitFor({ state: 'detached' });
        expect(await dialog.getByLabel('Reason').inputValue()).toBe('The controller asked for it.');
        await dialog.locator('button[type=submit]').click();
        await dialog.getByText('It changed meanwhile').waitFor();
      },
      /status of 4(04|12)/,
    );
  });

  rule('a list of a million requests holds the rows in sight alone, wherever it is scrolled to', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await page.route(/\/operator\/v1\/requests\?/, (route) => route.fulfill({ json: longListPage(route.request()) }));
      await visitor.open('/console/requests');
      const list = page.getByRole('region', { name: 'Requests' });
      const rows = list.getByRole('row');
      for (let read = 1; read <= LONG.pagesRead; read++) {
        await list.evaluate(toEnd);
        await page
          .getByText(`${String((read + 1) * LONG.rows)} read, there are more`.replace(/\B(?=(\d{3})+ )/, ','))
          .waitFor();
        expect(await rows.count()).toBeLessThan(80);
      }
      await list.evaluate(toBegin);
      await rows.filter({ hasText: LONG.idOf(0) }).waitFor();
    });
  });

  rule('a list keeps room for rows on a low screen, as at a zoom of 200 %, whose page scrolls to it', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      const screen = page.viewportSize();
      await page.route(/\/operator\/v1\/requests\?/, (route) => route.fulfill({ json: longListPage(route.request()) }));
      await visitor.open('/console/requests');
      const list = page.getByRole('region', { name: 'Requests' });
      const count = page.getByText('100 read, there are more');
      for (const [width, height] of [
        [640, 450],
        [320, 568],
        [960, 470],
      ] as const) {
        await page.setViewportSize({ width, height });
        // The page takes its new form in several steps.
        await until(`the count at ${width}x${height}`, async () => {
          await count.scrollIntoViewIfNeeded();
          return (await endOf(count)) <= height;
        });
        const box = await list.boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(LEAST_LIST_PX);
      }
      if (screen) await page.setViewportSize(screen);
      await until('the list to end on the screen', async () => (await endOf(list)) < (screen?.height ?? 0));
    });
  });

  rule(
    'a filter that refuses nearly all is searched for a few pages, and then as often as that is asked for',
    async (world) => {
      await visiting(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        let asked = 0;
        await page.route(/\/operator\/v1\/requests\?/, (route) => {
          asked += 1;
          return route.fulfill({ json: { requests: [], next_cursor: asked < 12 ? String(asked) : null } });
        });
        await visitor.open('/console/requests?type=erasure');
        const on = page.getByRole('button', { name: 'search on' });
        for (const pages of [5, 10]) {
          await on.waitFor();
          await page.evaluate('new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))');
          expect(asked).toBe(pages);
          const [answer] = await Promise.all([page.waitForResponse(/cursor=/), on.click()]);
          expect(answer.ok()).toBe(true);
          await until('the next pages', () => asked > pages + 1);
        }
        await page.getByText('Nothing matches these filters').waitFor();
        expect(asked).toBe(12);
      });
    },
  );

  ruleInFull('a list that cannot be read says why, and is read again on request', async (world) => {
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        const { page } = visitor;
        let isAway = true;
        await page.route(/\/operator\/v1\/requests\?/, (route) =>
          isAway ? route.fulfill({ status: 503, json: { status: 503, title: 'Unavailable' } }) : route.continue(),
        );
        await visitor.open('/console/requests');
        const again = page.getByRole('button', { name: 'Try again' });
        await again.waitFor();
        await page.getByText('The page System shows what is away.', { exact: true }).waitFor();
        isAway = false;
        await again.click();
        await page.getByRole('row').filter({ hasText: world.filled.waiting }).waitFor();
      },
      /status of 503/,
    );
  });

  ruleInFull(
    'what was read before stays with a sign where it cannot be read again, and the sign goes',
    async (world) => {
      await visiting(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          let isAway = false;
          await page.route('**/operator/v1/system', (route) =>
            isAway ? route.fulfill({ status: 500, json: { status: 500 } }) : route.continue(),
          );
          await visitor.open('/console/system');
          const works = page.getByText('works', { exact: true }).first();
          await works.waitFor();
          isAway = true;
          const sign = page.getByText('What you see may be old');
          await sign.waitFor();
          expect(await works.isVisible()).toBe(true);
          isAway = false;
          await page.getByRole('button', { name: 'Try again' }).click();
          await sign.waitFor({ state: 'detached' });
        },
        /status of 500/,
      );
    },
  );

  ruleInFull('a next page that cannot be read is asked for once, and again on request', async (world) => {
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        const { page } = visitor;
        let asked = 0;
        await page.route(/\/operator\/v1\/requests\?/, (route) => {
          if (!route.request().url().includes('cursor=')) return route.fulfill({ json: longListPage(route.request()) });
          asked += 1;
          return route.fulfill({ status: 500, json: { status: 500, title: 'Internal Server Error' } });
        });
        await visitor.open('/console/requests');
        await page.getByRole('region', { name: 'Requests' }).evaluate(toEnd);
        const again = page.getByRole('button', { name: 'Try again' });
        await again.waitFor();
        // Each drawing of the table would ask again.
        for (const place of [toBegin, toEnd]) {
          await page.getByRole('region', { name: 'Requests' }).evaluate(place);
          await page.evaluate('new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))');
        }
        expect(asked).toBe(1);
        const [answer] = await Promise.all([page.waitForResponse(/cursor=/), again.click()]);
        expect([answer.status(), asked]).toEqual([500, 2]);
      },
      /status of 500/,
    );
  });

  ruleInFull(
    'the event log is searched when it is asked for, page by page, and again where that failed',
    async (world) => {
      const { failing, pathOf } = world.filled;
      await visiting(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          let [asked, isAway] = [0, true];
          await page.route(/\/records\?/, async (route) => {
            asked += 1;
            if (isAway) return route.fulfill({ status: 503, json: { status: 503, title: 'Unavailable' } });
            return route.continue({ url: route.request().url().replace('limit=100', 'limit=1') });
          });
          await visitor.go(`/console${pathOf(failing)}`);
          const search = page.getByRole('button', { name: 'Search the event log' });
          expect([asked, await search.getAttribute('aria-expanded')]).toEqual([0, 'false']);
          await search.click();
          const again = page.getByRole('button', { name: 'Try again' });
          await again.waitFor();
          isAway = false;
          await again.click();
          const records = page.getByRole('table', { name: 'Records on the log' });
          await records.getByText('SubmitRequest').waitFor();
          const read = page.getByRole('table', { name: 'What was read' });
          await read.getByText('stopped: the page is full').waitFor();
          const more = page.getByRole('button', { name: 'Read more' });
          await more.click();
          await records.getByRole('row').nth(2).waitFor();
          expect(await records.getByText('SubmitRequest').count()).toBe(1);
          expect((await findingsOn(page)).violations).toEqual([]);
          const before = asked;
          await search.click();
          await search.click();
          await records.getByText('SubmitRequest').waitFor();
          expect(asked).toBe(before);
        },
        /status of 503/,
      );
    },
  );

  ruleInFull('whom a request is about is gone from the page once another request is there', async (world) => {
    const { waiting, completed, pathOf } = world.filled;
    await passing(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      const identity = page.getByText('ann@example.com');
      await visitor.go(`/console${pathOf(completed)}`);
      await page.keyboard.press('/');
      await page.keyboard.type(waiting);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${pathOf(waiting)}`);
      await giveReason(page, 'Show the identities', 'The data subject complains.');
      await identity.waitFor();
      await page.goBack();
      await page.waitForURL(`**${pathOf(completed)}`);
      await page.getByText(completed).first().waitFor();
      expect(await identity.count()).toBe(0);
    });
  });
}

function shownRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  ruleInFull('a number of the overview leads to its list, and the list shows which one it is', async (world) => {
    await passing(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.go('/console/');
      for (const part of ['Legal dates', 'Open requests', 'Throughput', 'Callbacks', 'Service'])
        await page.getByRole('heading', { name: part, exact: true }).waitFor();
      await page.getByRole('link', { name: /^Requests whose callbacks fail: [1-9]/ }).click();
      await page.waitForURL('**/console/requests?callbacks=failing');
      const ids = page.getByRole('table').getByRole('link');
      await ids.filter({ hasText: world.filled.failing }).waitFor();
      expect(await ids.filter({ hasText: world.filled.completed }).count()).toBe(0);
      expect(await page.getByLabel('Callbacks').first().inputValue()).toBe('failing');
      await visitor.go('/console/');
      await page.getByRole('link', { name: /^Received in 24 hours: [1-9]/ }).click();
      await ids.filter({ hasText: world.filled.completed }).waitFor();
      expect(await page.getByLabel('Received', { exact: true }).first().inputValue()).toBe('24h');
    });
  });

  ruleInFull(
    'a bar of the overview, and the number of its day in the table, lead to the list of that day',
    async (world) => {
      await passing(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        await visitor.open('/console/');
        const bars = page.getByRole('region', { name: 'Received per day' }).getByRole('link');
        expect(await bars.count()).toBe(14);
        const bar = bars.and(page.getByRole('link', { name: /: [1-9]\d* received$/ })).last();
        const [day = '', received = ''] = String(await bar.getAttribute('aria-label')).split(/: | received/);
        const address = String(await bar.getAttribute('href'));
        expect(address).toMatch(/\?received_from=([\d-]+)T00:00:00\.000Z&received_to=\1T23:59:59\.999Z$/);
        // However small a bar is, all of the room above its day leads there.
        await bar.click({ position: { x: 4, y: 4 } });
        await page.waitForURL(`**${address}`);
        await page.getByRole('table').getByRole('link').filter({ hasText: world.filled.completed }).waitFor();
        await visitor.go('/console/');
        await page.getByText('As a table').click();
        const row = page.getByRole('table', { name: 'Requests per day' }).getByRole('row').filter({ hasText: day });
        const [, number, ended = ''] = await row.getByRole('cell').allTextContents();
        expect(number).toBe(received);
        const endedOn = page.getByRole('region', { name: 'Ended per day' }).locator('title');
        expect(await endedOn.allTextContents()).toContain(`${day}: ${ended} ended`);
        await row.getByRole('link').click();
        await page.waitForURL(`**${address}`);
      });
    },
  );

  ruleInFull(
    'a filter is in the address, also one that is typed, and the address shows the same list again',
    async (world) => {
      await passing(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        await visitor.go('/console/requests');
        const ids = page.getByRole('table').getByRole('link');
        await ids.filter({ hasText: world.filled.completed }).waitFor();
        await page.getByLabel('Status').selectOption('pending');
        await page.waitForURL('**/console/requests?status=pending');
        await ids.filter({ hasText: world.filled.completed }).waitFor({ state: 'detached' });
        await visitor.open('/console/requests?status=pending');
        await ids.filter({ hasText: world.filled.waiting }).waitFor();
        expect(await page.getByLabel('Status').inputValue()).toBe('pending');
        // What is typed counts with Enter, and the field keeps the focus.
        for (const [label, keys, filter] of TYPED) {
          await page.getByLabel(label, { exact: true }).first().pressSequentially(keys);
          await page.keyboard.press('Enter');
          await page.waitForURL((url) => url.search.includes(filter));
          await page.locator(`input[aria-label="${label}"]:focus`).waitFor();
        }
        await ids.filter({ hasText: world.filled.waiting }).waitFor();
      });
    },
  );

  rule('what the list shows is saved as CSV, with text that a spreadsheet does not run', async (world) => {
    await passing(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.go('/console/requests');
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

  rule('a list without a match says what to do; once the stream of changes was lost, it may be old', async (world) => {
    await visiting(await enterSandbox(world), async ({ page }) => {
      const stream = { contentType: 'text/event-stream', body: 'retry: 100\n\n' };
      await page.route('**/operator/v1/changes', (route) => route.fulfill(stream));
      await page.goto('/console/requests?status=cancelled&type=access');
      await page.getByText('Nothing matches these filters').waitFor();
      await page.getByRole('button', { name: 'There may be newer ones' }).waitFor();
    });
  });

  ruleInFull('a German page has German words for what is no code', async (world) => {
    await passing(await enterSandbox(world, { theme: 'light', language: 'de' }), async (visitor) => {
      const { page } = visitor;
      await visitor.go(`/console${world.filled.pathOf(world.filled.failing)}`);
      await page.getByRole('cell', { name: 'fehlgeschlagen', exact: true }).waitFor();
      await page.getByText('crm, fehlgeschlagen').waitFor();
    });
  });

  ruleInFull('a list may be old after its tab was out of sight, where it follows nothing', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      const stream = { contentType: 'text/event-stream', body: 'retry: 600000\n\n' };
      let opened = 0;
      await page.route('**/operator/v1/changes', (route) => {
        opened += 1;
        return route.fulfill(stream);
      });
      const see = (state: 'hidden' | 'visible') =>
        page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`);
      await visitor.open('/console/requests');
      await until('the stream to be opened', () => opened === 1);
      const offer = page.getByRole('button', { name: 'There may be newer ones' });
      await see('hidden');
      expect(await offer.count()).toBe(0);
      await see('visible');
      await offer.waitFor();
      expect(opened).toBe(2);
    });
  });

  ruleInFull('times are those of the viewer, and UTC is in their title', async (world) => {
    await passing(await enterSandbox(world), async (visitor) => {
      await visitor.go('/console/requests');
      const time = visitor.page.getByRole('table').locator('time').first();
      const [title, at] = [await time.getAttribute('title'), await time.getAttribute('datetime')];
      expect(title).toBe(`${String(at).slice(0, 19).replace('T', ' ')} UTC`);
      const berlin = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Europe/Berlin' });
      expect(await time.textContent()).toContain(berlin.format(new Date(String(at))));
    });
  });
}
