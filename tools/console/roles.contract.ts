import { writeFile } from 'node:fs/promises';
import { routes, type Route } from '@opendsr-service/console';
import { rolesFor } from '@opendsr-service/operator-access';
import { SANDBOX } from '../e2e/operator';
import { repository } from '../e2e/repository';
import { FULL } from './testing/full';
import { signInAtProvider } from './testing/sign-in';
import type { Visitor } from './testing/visitor';
import { enterAs, enterProvided, passing, visiting, type Rule } from './testing/world';

/** The short form has every second role: the specs of the operator's API show what each may do. */
const ROLES = rolesFor('read').filter((_role, n) => FULL || n % 2 === 0);
/** The pages of the sandbox are not in the service with a provider. */
const reached = (routes as readonly Route[]).filter(({ sandbox }) => sandbox !== true);
const isAllowed = ({ needs }: Route, role: (typeof ROLES)[number]): boolean => rolesFor(needs).includes(role);
const EXPECTED = /status of 40[13]|asked another host: http:\/\/127\.0\.0\.1/;

/** Whether the console takes the keys that lead to a page, as it does at once. */
async function areKeysTaken({ page }: Visitor, { key }: Route): Promise<boolean> {
  await page.keyboard.press('g');
  await page.evaluate(
    "addEventListener('keydown', (event) => { globalThis.isTaken = event.defaultPrevented; }, { once: true })",
  );
  await page.keyboard.press(String(key));
  return page.evaluate<boolean>('globalThis.isTaken');
}

/** The pages that the navigation leads to. */
const linksOf = ({ page }: Visitor): Promise<readonly string[]> =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((all: { getAttribute: (name: string) => string | null }[]) =>
      all.map((link) => link.getAttribute('href')?.replace(/^\/console/, '') || '/'),
    );

/** Each page by each role: what leads there, and what it shows to who may not see it. */
export function roleRules(rule: Rule): void {
  const table = new Map<string, string[]>();
  for (const role of ROLES)
    rule(`${role} finds the pages that the role allows, and no others`, async (world) => {
      await passing(
        await enterAs(world, role),
        async (visitor) => {
          const { page } = visitor;
          await visitor.go('/console/');
          const links = page.getByRole('navigation').getByRole('link');
          const shown = await linksOf(visitor);
          const wanted = reached.filter((route) => route.key !== undefined && isAllowed(route, role));
          expect(shown).toEqual(wanted.map(({ path }) => path));
          for (const route of reached.filter(({ path }) => !path.includes(':'))) {
            if (wanted.includes(route)) {
              const link = links.nth(wanted.indexOf(route));
              await link.click();
              await link.and(page.locator('[aria-current=page]')).waitFor();
              await visitor.settled();
            } else {
              expect(await areKeysTaken(visitor, route)).toBe(false);
              await visitor.go(`/console${route.path}`);
            }
            const isRefused = await page.getByText('Your roles do not allow this').isVisible();
            expect([route.name, isRefused]).toEqual([route.name, !isAllowed(route, role)]);
            table.set(route.name, [...(table.get(route.name) ?? []), isRefused ? '–' : 'yes']);
          }
        },
        /status of 403/,
      );
    });

  rule('an operator of one workspace finds the pages that need no role in all, and no others', async (world) => {
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        await visitor.open('/console/');
        await signInAtProvider(visitor, world.provided, { person: 'dora', groups: [`operator@${SANDBOX}`] });
        await visitor.settled();
        const shown = await linksOf(visitor);
        const wanted = reached.filter((route) => route.key !== undefined && isAllowed(route, 'operator'));
        expect(shown).toEqual(wanted.filter(({ everywhere }) => everywhere !== true).map(({ path }) => path));
        for (const { name, path, everywhere } of wanted) {
          await visitor.go(`/console${path}`);
          const isRefused = await visitor.page.getByText('Your roles do not allow this').isVisible();
          expect([name, isRefused]).toEqual([name, everywhere === true]);
        }
      },
      EXPECTED,
    );
  });

  rule('a person without a role learns whom to ask', async (world) => {
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        await visitor.open('/console/');
        world.provided.provider.person = 'cook';
        world.provided.provider.groups = ['cooks'];
        await visitor.page.getByRole('button', { name: 'Sign in' }).click();
        await visitor.page.getByText('Your roles do not allow this').waitFor();
      },
      EXPECTED,
    );
  });

  afterAll(() => writeFile(repository('reports/console/roles.md'), tableOf(table)));
}

function tableOf(rows: ReadonlyMap<string, readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['Page', ...ROLES];
  return [
    line(head),
    line(head.map(() => '---')),
    ...[...rows].map(([name, cells]) => line([name, ...cells])),
    '',
  ].join('\n');
}
