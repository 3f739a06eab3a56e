import { onPageOfAttacker } from './testing/attacker';
import { HOSTILE, MARKUP } from './testing/filled';
import { giveReason } from './testing/give-reason';
import { runMarkupOn } from './testing/run-markup';
import { signInAtProvider } from './testing/sign-in';
import { enterProvided, enterSandbox, visiting, type Rule } from './testing/world';

const SESSION_COOKIE = '__Host-opendsr-operator';
const POLICY = /Content Security Policy|TrustedHTML|TrustedScript|Refused to/;

/** What somebody else tries through the browser of an operator. */
export function attackRules(rule: Rule): void {
  pageRules(rule);
  siteRules(rule);
  sessionRules(rule);
}

function pageRules(rule: Rule): void {
  rule('markup in what others write stays text where it is shown', async (world) => {
    const { completed, waiting, pathOf } = world.filled;
    await visiting(await enterSandbox(world), async (visitor) => {
      const { page } = visitor;
      const expectText = async (place: string, times: number) => {
        expect([place, ...(await runMarkupOn(page))]).toEqual([place]);
        for (let n = 0; n < times; n++) await page.getByText(MARKUP).nth(n).waitFor();
      };
      // So often: a page without it would always keep it text. The other pages are tried where axe reads them.
      for (const [place, times] of [
        ['/workspaces', 2],
        [`/workspaces/${HOSTILE}`, 2],
        [pathOf(completed), 0],
      ] as const) {
        await visitor.go(`/console${place}`);
        await expectText(place, times);
      }
      await visitor.go(`/console${pathOf(waiting)}`);
      await giveReason(page, 'Show the identities', MARKUP);
      await page.getByText('controller_customer_id').waitFor();
      // The identity, the group and the reason.
      await expectText('identities', 3);
    });
  });

  rule('markup in an address stays text', async (world) => {
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        for (const path of [
          `/requests?workspace=${encodeURIComponent(MARKUP)}`,
          `/requests/${encodeURIComponent(MARKUP)}/${encodeURIComponent(MARKUP)}`,
          `/${encodeURIComponent(MARKUP)}`,
        ]) {
          await visitor.page.goto(`/console${path}`);
          await visitor.page.locator('h1, h2').first().waitFor();
          expect(await visitor.page.evaluate('window.planted')).toBeUndefined();
        }
      },
      /status of 40[0134]/,
    );
  });

  rule('the policy of every page lets only its own files run', async (world) => {
    const { consoleUrl } = world.sandbox;
    const page = await fetch(`${consoleUrl}/console/requests`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/(^|; ?)default-src 'none'(;|$)/);
    expect(policy).toMatch(/(^|; ?)script-src 'self'(;|$)/);
    expect(policy).toMatch(/(^|; ?)frame-ancestors 'none'(;|$)/);
    expect(policy).toMatch(/(^|; ?)base-uri 'none'(;|$)/);
    expect(policy).not.toMatch(/unsafe|\*|https?:|script-src[^;]*data:/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await page.text();
    expect(html).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
  });

  rule('a script that gets into the page does not run, and reaches no other host', async (world) => {
    await visiting(
      await enterSandbox(world),
      async (visitor) => {
        const { page } = visitor;
        await visitor.open('/console/');
        const tries = [
          `document.body.insertAdjacentHTML('beforeend', '${MARKUP}')`,
          `document.body.append(Object.assign(document.createElement('script'), { text: 'window.planted = true' }))`,
          `document.body.append(Object.assign(document.createElement('img'), { src: 'https://attacker.example/x' }))`,
          `fetch('https://attacker.example/x')`,
        ];
        for (const attempt of tries) await page.evaluate(attempt).catch(() => undefined);
        expect(await page.evaluate('window.planted')).toBeUndefined();
        expect(visitor.complaints.filter((complaint) => POLICY.test(complaint)).length).toBeGreaterThanOrEqual(3);
      },
      /./,
    );
  });
}

function siteRules(rule: Rule): void {
  rule('no other site shows the console in a frame', async (world) => {
    const frame = `<iframe src="${world.sandbox.consoleUrl}/console/" title="bait"></iframe>`;
    await onPageOfAttacker(frame, async (url) => {
      await visiting(
        await enterSandbox(world),
        async ({ page, complaints }) => {
          await page.goto(url);
          await page.waitForLoadState('networkidle');
          expect(complaints.join('\n')).toMatch(/frame-ancestors|X-Frame-Options|refused to connect/i);
          expect(await page.frameLocator('iframe').locator('#root').count()).toBe(0);
        },
        /./,
      );
    });
  });

  rule('no other site changes anything by the session of the viewer, or reads with it', async (world) => {
    const { filled, sandbox } = world;
    const cancel = `${sandbox.consoleUrl}/operator/v1${filled.pathOf(filled.waiting)}/cancellation`;
    const form = `<form method="post" enctype="text/plain" action="${cancel}"><input name="{&quot;reason&quot;:&quot;" value="x&quot;}"></form>`;
    await onPageOfAttacker(form, async (url) => {
      await visiting(
        await enterSandbox(world),
        async ({ page }) => {
          await page.goto(url);
          const answered = page.waitForResponse(cancel);
          await Promise.all([page.waitForURL(cancel), page.evaluate('document.forms[0].submit()')]);
          expect([401, 403]).toContain((await answered).status());
          await page.goto(url);
          const read = `fetch('${sandbox.consoleUrl}/operator/v1/session', { credentials: 'include' }).then(() => 'read', () => 'refused')`;
          expect(await page.evaluate(read)).toBe('refused');
          const forged = `fetch('${cancel}', { method: 'POST', credentials: 'include', headers: { 'x-csrf-token': 'x', 'content-type': 'application/json' }, body: '{"reason":"x"}' }).then(() => 'sent', () => 'refused')`;
          expect(await page.evaluate(forged)).toBe('refused');
        },
        /./,
      );
      expect((await filled.controller.status(filled.waiting)).request_status).toBe('pending');
    });
  });
}

function sessionRules(rule: Rule): void {
  const expected = /status of 401|asked another host: http:\/\/127\.0\.0\.1/;
  const eve = { person: 'eve', groups: ['admin'] };

  rule('a session that somebody planted before is not the one that a sign-in begins', async (world) => {
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        const planted = {
          name: SESSION_COOKIE,
          value: 'planted-by-somebody',
          url: visitor.baseUrl.replace('http:', 'https:'),
        };
        await visitor.context.addCookies([{ ...planted, secure: true, httpOnly: true, sameSite: 'Strict' }]);
        await visitor.open('/console/');
        await signInAtProvider(visitor, world.provided, eve);
        const held = (await visitor.context.cookies()).filter(({ name }) => name === SESSION_COOKIE);
        expect(held).toHaveLength(1);
        expect(held[0]?.value).not.toBe(planted.value);
        const headers = { cookie: `${SESSION_COOKIE}=${planted.value}` };
        expect((await fetch(`${visitor.baseUrl}/operator/v1/session`, { headers })).status).toBe(401);
      },
      expected,
    );
  });

  rule('no address leads to another site after the sign-in', async (world) => {
    world.provided.provider.person = eve.person;
    world.provided.provider.groups = eve.groups;
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        for (const address of [
          '/console//attacker.example/',
          '/console/?return=https://attacker.example/',
          '/console/%5C%5Cattacker.example',
        ]) {
          await visitor.context.clearCookies();
          await visitor.page.goto(address);
          await visitor.settled();
          await visitor.page.getByRole('button', { name: 'Sign in' }).click();
          await visitor.page.getByRole('navigation').waitFor();
          expect(new URL(visitor.page.url()).origin).toBe(visitor.baseUrl);
        }
      },
      /status of 40[14]|asked another host: http:\/\/127\.0\.0\.1/,
    );
  });
}
