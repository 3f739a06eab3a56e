import { inFull } from './testing/full';
import { signInLinkOf } from './testing/places';
import { signInAtProvider } from './testing/sign-in';
import { Visitor } from './testing/visitor';
import { enterAs, enterProvided, enterSandbox, passing, visiting, type Rule } from './testing/world';

/** A call that is refused is no fault of the page. */
const REFUSED = /status of 40[01]/;

/** Who comes in, where they are then, and how they leave. */
export function signInRules(rule: Rule): void {
  const ruleInFull = inFull(rule);
  rule('the link of a sandbox signs in once', async ({ browser, sandbox }) => {
    await visiting(
      await Visitor.enter(browser, sandbox.consoleUrl),
      async ({ page }) => {
        await page.goto(await signInLinkOf(sandbox.service));
        await page.getByText('This link was used already').waitFor();
        expect(await page.getByRole('navigation').count()).toBe(0);
        // What is left of the link without its secret.
        await page.goto('/console/sign-in');
        await page.getByText('This link was used already').waitFor();
      },
      REFUSED,
    );
  });

  rule('its secret stays in the browser, and a session is out of reach of scripts', async (world) => {
    expect(new URL(await signInLinkOf(world.sandbox.service))).toMatchObject({
      pathname: '/console/sign-in',
      search: '',
    });
    await passing(await enterSandbox(world), async (visitor) => {
      await visitor.go('/console/');
      expect(await visitor.page.evaluate('document.cookie')).toBe('');
      const cookies = await visitor.context.cookies();
      expect(cookies).toEqual([expect.objectContaining({ httpOnly: true, secure: true, sameSite: 'Strict' })]);
    });
  });

  rule(
    'who comes by a link signs in at the provider and is then where the link leads, also after one in vain',
    async (world) => {
      await visiting(
        await enterProvided(world),
        async (visitor) => {
          await visitor.page.goto('/operator/v1/sign-in/callback?state=of-another-sign-in');
          await visitor.page.getByText('This sign-in did not succeed').waitFor();
          expect(visitor.page.url()).toMatch(/\/console$/);
          await visitor.open('/console/requests?status=pending');
          await signInAtProvider(visitor, world.provided, { person: 'ann', groups: ['viewer'] });
          expect(visitor.page.url()).toBe(`${visitor.baseUrl}/console/requests?status=pending`);
        },
        /status of 401|asked another host: http:\/\/127\.0\.0\.1/,
      );
    },
  );

  ruleInFull('a sign-in in vain is not told of any more once a session has begun', async (world) => {
    const viewer = await enterAs(world, 'viewer');
    const cookies = await viewer.context.cookies();
    await viewer.pause();
    await visiting(
      await enterProvided(world),
      async ({ page, context }) => {
        const note = page.getByText('This sign-in did not succeed');
        await page.goto('/operator/v1/sign-in/callback?state=of-another-sign-in');
        await note.waitFor();
        // The viewer signs in in another tab, and comes back.
        await context.addCookies(cookies);
        await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
        await page.getByRole('navigation').waitFor();
        await context.clearCookies();
        await page.getByRole('link', { name: 'Requests' }).first().click();
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
        expect(await note.count()).toBe(0);
      },
      REFUSED,
    );
  });

  rule('a session that ends under an open dialog says so, and that one has to check', async (world) => {
    const officer = await enterAs(world, 'officer');
    const cookies = await officer.context.cookies();
    await officer.pause();
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        const { page, context } = visitor;
        await context.addCookies(cookies);
        await visitor.open(`/console/requests/sandbox/${world.decidable.pending}`);
        await page.getByRole('button', { name: 'Cancel the request', exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Reason').fill('The controller asked by mail.');
        await context.clearCookies();
        await dialog.locator('button[type=submit]').click();
        await page.getByText('Your session has ended. Check whether what an open dialog asked for was done.').waitFor();
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
      },
      REFUSED,
    );
  });

  rule('signing out everywhere ends the sessions of other browsers too', async (world) => {
    const expected = /status of 401|asked another host: http:\/\/127\.0\.0\.1/;
    const bob = { person: 'bob', groups: ['viewer'] };
    await visiting(
      await enterProvided(world),
      async (one) => {
        // No stream says that its session has ended.
        const stream = { contentType: 'text/event-stream', body: 'retry: 600000\n\n' };
        await one.page.route('**/operator/v1/changes', (route) => route.fulfill(stream));
        await one.open('/console/');
        await signInAtProvider(one, world.provided, bob);
        await visiting(
          await enterProvided(world),
          async (other) => {
            await other.open('/console/');
            await signInAtProvider(other, world.provided, bob);
            await other.page.getByRole('button', { name: 'Signed in as bob' }).click();
            await other.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
            await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
          },
          expected,
        );
        await one.page.getByRole('link', { name: 'Requests' }).first().click();
        await one.page.getByRole('button', { name: 'Sign in' }).waitFor();
      },
      expected,
    );
  });
}
