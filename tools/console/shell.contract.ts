import { routes, type Route } from '@opendsr-service/console';
import { HOSTILE } from './testing/filled';
import { inFull } from './testing/full';
import { enterSandbox, passing, visiting, type Rule } from './testing/world';

/** The name of what has the focus. */
const FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()";
/** What the keyboard reaches first on the list of requests, in the order of the page. */
const CONTROLS = ['Export as CSV', 'Workspace', 'Controller', 'Group (with a workspace)', 'Status', 'Type', 'Law'];

/** Search, keys, look and language. */
export function shellRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('/ searches: the id of a request leads to it', async (world) => {
    await passing(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.go('/console/');
      await page.keyboard.press('/');
      await page.keyboard.type(world.filled.waiting);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/console${world.filled.pathOf(world.filled.waiting)}`);
    });
  });

  ruleInFull(
    '/ searches: a controller leads to its requests, though no role reaches a workspace of that name',
    async (world) => {
      await visiting(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          await page.route(/\/operator\/v1\/requests\?workspace=/, (route) =>
            route.fulfill({ status: 403, json: { status: 403, title: 'Forbidden' } }),
          );
          await visitor.open('/console/');
          await page.keyboard.press('/');
          await page.keyboard.type('sandbox');
          await page.keyboard.press('Enter');
          await page.waitForURL('**/console/requests?controller=sandbox');
        },
        /status of 403/,
      );
    },
  );

  rule(
    '/ searches: a workspace without a request leads to its page, and a name that nothing has nowhere',
    async (world) => {
      await visiting(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          await visitor.open('/console/');
          await page.getByRole('searchbox').fill('nobody');
          await page.keyboard.press('Enter');
          await page.getByText('Nothing has the id or the name “nobody”').waitFor();
          await page.getByRole('searchbox').fill(HOSTILE);
          await page.keyboard.press('Enter');
          await page.waitForURL(`**/console/workspaces/${HOSTILE}`);
        },
        /status of 404/,
      );
    },
  );

  ruleInFull(
    'g and a letter lead to a page, which has the focus then, but not while a text is typed',
    async (world) => {
      await passing(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        await visitor.go('/console/');
        for (const { key, path } of routes as readonly Route[]) {
          if (key === undefined || path === '/') continue;
          await page.keyboard.press('g');
          await page.keyboard.press(key);
          await page.waitForURL(`**/console${path}`);
          await page.locator('main:focus').waitFor();
        }
        await visitor.settled();
        const before = page.url();
        await page.keyboard.press('/');
        await page.keyboard.type('gr');
        expect(page.url()).toBe(before);
      });
    },
  );

  rule(
    'the keyboard alone reaches the content, every control of a list and the keys, which can be switched off',
    async (world) => {
      await visiting(await enterSandbox(world), async (visitor) => {
        const { page } = visitor;
        await visitor.open('/console/requests');
        await page.keyboard.press('Tab');
        await page.locator('a:focus').filter({ hasText: 'Skip to the content' }).waitFor();
        await page.keyboard.press('Enter');
        await page.locator('main:focus').waitFor();
        const names: string[] = [];
        for (let pressed = 0; pressed < CONTROLS.length; pressed++) {
          await page.keyboard.press('Tab');
          names.push(await page.evaluate<string>(FOCUSED));
        }
        expect(names).toEqual(CONTROLS);
        await page.locator(':focus').evaluate((field: { blur: () => void }) => field.blur());
        await page.keyboard.press('?');
        const keys = page.getByRole('dialog', { name: 'Keys' });
        await keys.getByText('g r').waitFor();
        await page.keyboard.press('Escape');
        await keys.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Signed in as' }).click();
        await page.getByRole('menuitem', { name: 'Keys' }).click();
        await keys.getByLabel('Use these keys').uncheck();
        await page.keyboard.press('Escape');
        await keys.waitFor({ state: 'detached' });
        await page.reload();
        await visitor.settled();
        await page.keyboard.press('/');
        expect(await page.evaluate(FOCUSED)).not.toBe('Search');
      });
    },
  );

  ruleInFull(
    'a chosen language and look stay when the page is read again, and failures speak that language',
    async (world) => {
      await visiting(
        await enterSandbox(world),
        async (visitor) => {
          const { page } = visitor;
          await visitor.open('/console/requests');
          await page.getByRole('button', { name: 'Language' }).click();
          await page.getByRole('menuitem', { name: 'Deutsch' }).click();
          await page.getByRole('heading', { level: 1, name: 'Anfragen' }).waitFor();
          await page.getByRole('button', { name: 'Aussehen' }).click();
          await page.getByRole('menuitem', { name: 'Dunkel' }).click();
          await page.reload();
          await page.getByRole('heading', { level: 1, name: 'Anfragen' }).waitFor();
          await page.locator('html.pf-v6-theme-dark[lang=de]').waitFor();
          await page.route(/\/operator\/v1\/requests\?id=/, (route) => route.abort());
          await page.getByRole('searchbox').fill(world.filled.waiting);
          await page.keyboard.press('Enter');
          await page.getByText('Der Dienst antwortet nicht').waitFor();
        },
        /ERR_FAILED/,
      );
    },
  );

  rule('on a narrow screen the menu goes away when a page is chosen, and on Escape', async (world) => {
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      await visitor.look({ theme: 'light', width: 640 });
      await visitor.open('/console/requests');
      const toggle = page.getByRole('button', { name: 'Show or hide the pages' });
      const menu = page.getByRole('navigation');
      await toggle.click();
      await menu.getByRole('link', { name: 'Audit' }).click();
      await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
      await menu.waitFor({ state: 'hidden' });
      await toggle.click();
      await menu.waitFor();
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      expect(await page.evaluate<string>(FOCUSED)).toBe('Show or hide the pages');
    });
  });

  rule('a page whose code does not come says that the service does not answer', async (world) => {
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        const { page } = visitor;
        await visitor.open('/console/');
        await page.route('**/assets/audit-page-*', (route) => route.abort());
        await page.getByRole('link', { name: 'Audit' }).click();
        await page.getByRole('heading', { level: 1, name: 'The service does not answer' }).waitFor();
      },
      /ERR_FAILED/,
    );
  });

  rule('the hidden word of a notice is of the language of the page', async (world) => {
    await visiting(await enterSandbox(world, { theme: 'light', language: 'de' }), async (visitor) => {
      const { page } = visitor;
      const answer = { parked: [], next_cursor: null, unavailable: ['results'] };
      await page.route('**/operator/v1/parked?*', (route) => route.fulfill({ json: answer }));
      await visitor.open('/console/parked');
      await page.getByText('Warnung:').waitFor({ state: 'attached' });
    });
  });

  rule('an address without a page says so, and the way back is there', async (world) => {
    await visiting(await enterSandbox(world), async ({ page }) => {
      await page.goto('/console/no-such-page');
      await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
      await page.getByRole('link', { name: 'Requests' }).waitFor();
    });
  });
}
