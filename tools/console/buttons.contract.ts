import { readFileSync } from 'node:fs';
import { rolesFor, type Permission } from '@opendsr-service/operator-access';
import { SANDBOX } from '../e2e/operator';
import { repository } from '../e2e/repository';
import { ask, askBecause } from './testing/ask-operator';
import { FULL } from './testing/full';
import { signInAtProvider } from './testing/sign-in';
import { enterAs, enterProvided, passing, visiting, type ConsoleWorld, type Rule } from './testing/world';
import type { Decidable } from './testing/decidable';
import type { Visitor } from './testing/visitor';

interface Operation {
  readonly operationId: string;
  readonly 'x-needs'?: Permission | 'session';
}

type Places = Pick<Decidable, 'pending' | 'inProgress'> & { readonly parked: string };

/** A page with buttons, and a text that is there once all of it is: a button that is missing then stays away. */
interface ButtonPage {
  readonly path: (places: Places) => string;
  readonly shows: RegExp;
  readonly buttons: Readonly<Record<string, RegExp>>;
}

const WISH = 'Somebody asks, so that somebody may approve.';
const PARKED = 'unknown-type';
const requestPath = (id: string): string => `/requests/${SANDBOX}/${id}`;

/** Where the button of each operation of the API stands, by the name of the operation. */
const PAGES: readonly ButtonPage[] = [
  {
    path: ({ pending }) => requestPath(pending),
    shows: /^No callback URL was given/,
    buttons: { extendLegalDate: /^Extend the legal date$/, cancelOnBehalf: /^Cancel the request$/ },
  },
  {
    path: ({ inProgress }) => requestPath(inProgress),
    shows: /^taken$/,
    buttons: {
      waiveParticipant: /^Waive billing$/,
      replayOperatorCallback: /^Send this callback again$/,
      revealIdentities: /^Show the identities$/,
    },
  },
  {
    path: () => '/reveals',
    shows: new RegExp(`^${WISH}$|^Your roles do not allow this`),
    buttons: { approveReveal: /^Approve to show whom / },
  },
  {
    path: () => `/parked?service=request&parked_reason=${PARKED}`,
    shows: /^request~/,
    buttons: { redriveMany: /^Handle all of these again$/, dropMany: /^Drop all of these$/ },
  },
  {
    path: ({ parked }) => parked,
    shows: /^SHA-256 begins with$/,
    buttons: { redriveOne: /^Handle again$/, dropParked: /^Drop$/ },
  },
  {
    path: () => `/workspaces/${SANDBOX}`,
    shows: /^in force$/,
    buttons: { createApiKey: /^Make a key$/, rotateApiKey: /^Rotate the key /, revokeApiKey: /^Revoke the key / },
  },
];
/** The short form has one whose pages it does not go through (roles.contract.ts), and that may press half of them. */
const ROLES = rolesFor('read').filter((role) => FULL || role === 'operator');
/** Everybody who is signed in has them in the menu; a link is used by the page that it leads to. */
const OF_ALL = ['useSignInLink', 'signOut', 'signOutEverywhere'];

const document = JSON.parse(readFileSync(repository('apps/gateway/src/openapi/operator.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const changes = Object.values(document.paths)
  .flatMap((methods) => Object.entries(methods))
  .flatMap(([method, operation]) => (method === 'get' ? [] : [operation]))
  .filter(({ operationId }) => !OF_ALL.includes(operationId));
const needsOf = (operation: string): Permission =>
  changes.find(({ operationId }) => operationId === operation)?.['x-needs'] as Permission;

/** Each button by each role: the API says which role may, and the page must not offer to others what the API would refuse. */
export function buttonRules(rule: Rule): void {
  it('every change that the operator’s API offers has a button in the console', () => {
    expect(PAGES.flatMap(({ buttons }) => Object.keys(buttons)).sort()).toEqual(
      changes.map(({ operationId }) => operationId).sort(),
    );
  });

  for (const role of ROLES)
    rule(`${role} has the buttons of what the role may change, and no others`, async (world) => {
      await wish(world, 'officer', world.decidable.pending);
      await wish(world, 'admin', world.decidable.inProgress);
      await passing(
        await enterAs(world, role),
        async (visitor) => {
          const { page } = visitor;
          const places = { ...world.decidable, parked: await parkedPath(visitor) };
          for (const { path, shows, buttons } of PAGES) {
            await visitor.go(`/console${path(places)}`);
            await page.getByText(shows).first().waitFor();
            for (const [operation, name] of Object.entries(buttons)) {
              const isThere = (await page.getByRole('button', { name }).count()) > 0;
              expect([operation, isThere]).toEqual([operation, rolesFor(needsOf(operation)).includes(role)]);
            }
          }
        },
        /status of 403/,
      );
    });

  rule('an operator of one workspace has no button for the records of all', async (world) => {
    await visiting(
      await enterProvided(world),
      async (visitor) => {
        await visitor.open('/console/');
        await signInAtProvider(visitor, world.provided, { person: 'dora', groups: [`operator@${SANDBOX}`] });
        const button = visitor.page.getByRole('button', { name: 'Handle all of these again' });
        await visitor.go(`/console/parked?service=request&workspace=${SANDBOX}`);
        await button.waitFor();
        await visitor.go('/console/parked?service=request');
        await visitor.settled();
        expect(await button.count()).toBe(0);
      },
      /status of 40[13]|asked another host: http:\/\/127\.0\.0\.1/,
    );
  });
}

/** Each sees the wish of the other: nobody approves an own one. A wish that waits is not made again. */
const wish = async (world: ConsoleWorld, role: 'officer' | 'admin', id: string): Promise<void> =>
  passing(await enterAs(world, role), async ({ page }) => {
    expect((await askBecause(page, `${requestPath(id)}/identities`, WISH)).status).toBe(202);
  });

async function parkedPath({ page }: Visitor): Promise<string> {
  const { body } = await ask<{ readonly parked: readonly { readonly id: string }[] }>(
    page,
    `/parked?service=request&parked_reason=${PARKED}`,
  );
  return `/parked/request/${encodeURIComponent(String(body.parked[0]?.id))}`;
}
