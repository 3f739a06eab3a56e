import type { Browser } from 'playwright-core';
import { lastWords } from '../../e2e/child-service';
import type { Role } from '@opendsr-service/operator-access';
import { openBrowser } from './browser';
import { fillDecidable, type Decidable } from './decidable';
import { fill, type Filled } from './filled';
import { KeptVisitors } from './kept-visitors';
import { startSandbox, type Place } from './places';
import { startWithProvider, type ProvidedPlace } from './provided-place';
import { signInAtProvider, signInByLink } from './sign-in';
import { PLAIN, Visitor, type Identity, type Look } from './visitor';

/** What the specs of the console share: one browser, a sandbox that is full of data, and a service with a provider. */
export interface ConsoleWorld {
  readonly browser: Browser;
  readonly sandbox: Place;
  readonly filled: Filled;
  /** Of the administrator of the sandbox. */
  readonly admin: Identity;
  readonly provided: ProvidedPlace;
  readonly decidable: Decidable;
  readonly kept: KeptVisitors;
  close(): Promise<void>;
}

/** Opens it, both services at once. After a failure nothing of it runs on. */
export async function openWorld(): Promise<ConsoleWorld> {
  await using opened = new AsyncDisposableStack();
  const browser = opened.adopt(await openBrowser(), (one) => one.close());
  const parts = [openSandbox(browser, opened), openProvided(opened)] as const;
  // What one has started is adopted before the failure of the other ends it.
  await Promise.allSettled(parts);
  const [ofSandbox, ofProvided] = await Promise.all(parts);
  const stack = opened.move();
  const kept = new KeptVisitors();
  return { browser, ...ofSandbox, ...ofProvided, kept, close: () => stack.disposeAsync() };
}

async function openSandbox(
  browser: Browser,
  opened: AsyncDisposableStack,
): Promise<Pick<ConsoleWorld, 'sandbox' | 'admin' | 'filled'>> {
  const sandbox = opened.adopt(await startSandbox(), ({ service }) => service.stop());
  const admin = await signInByLink(browser, sandbox);
  const filled = opened.adopt(await fill(sandbox.service), ({ receiver }) => receiver.close());
  return { sandbox, admin, filled };
}

async function openProvided(opened: AsyncDisposableStack): Promise<Pick<ConsoleWorld, 'provided' | 'decidable'>> {
  const provided = opened.adopt(await startWithProvider(), ({ service }) => service.stop());
  const decidable = opened.adopt(await fillDecidable(provided.service), ({ receiver }) => receiver.close());
  return { provided, decidable };
}

/** The administrator of the sandbox before the console. */
export const enterSandbox = ({ browser, sandbox, admin, kept }: ConsoleWorld, look: Look = PLAIN): Promise<Visitor> =>
  kept.enter(`sandbox ${look.theme} ${look.language}`, () =>
    Visitor.enter(browser, sandbox.consoleUrl, { identity: admin, look }),
  );

/** Somebody with this role in all workspaces, who has signed in at the provider. */
export const enterAs = (world: ConsoleWorld, role: Role): Promise<Visitor> =>
  world.kept.enter(`provided ${role}`, async () => {
    const visitor = await Visitor.enter(world.browser, world.provided.consoleUrl);
    await visitor.open('/console/');
    await signInAtProvider(visitor, world.provided, { person: role, groups: [role] });
    visitor.forget();
    return visitor;
  });

/** Somebody who is not signed in, before the console of the service with a provider. */
export const enterProvided = ({ browser, provided, kept }: ConsoleWorld): Promise<Visitor> =>
  kept.enter(
    'provided nobody',
    () => Visitor.enter(browser, provided.consoleUrl),
    ({ context }) => context.clearCookies(),
  );

/** Defines a test on the world, as a visitor who leaves when it ends. */
export type Rule = (title: string, body: (world: ConsoleWorld) => Promise<void>) => void;

/** Tests whose failure prints the last output of the services. */
export const rulesOn =
  (world: () => ConsoleWorld): Rule =>
  (title, body) => {
    it(title, async () => {
      try {
        await body(world());
      } catch (error) {
        const { sandbox, provided } = world();
        console.error(String(error), lastWords([...sandbox.service.processes, ...provided.service.processes], error));
        throw error;
      }
    });
  };

/**
 * Does something as a visitor, who must not have heard a complaint of the browser but `expected` ones. A failure says what
 * was seen, and nobody uses its page again.
 */
export const visiting = (
  visitor: Visitor,
  work: (visitor: Visitor) => Promise<void>,
  expected: RegExp = /^$/,
): Promise<void> => hearing(visitor, work, expected, () => visitor.leave());

/** The same for work that changes nothing of the page but by the console itself: the next visitor goes on in it. */
export const passing = (
  visitor: Visitor,
  work: (visitor: Visitor) => Promise<void>,
  expected: RegExp = /^$/,
): Promise<void> => hearing(visitor, work, expected, () => visitor.pause());

async function hearing(
  visitor: Visitor,
  work: (visitor: Visitor) => Promise<void>,
  expected: RegExp,
  leave: () => Promise<void>,
): Promise<void> {
  try {
    await work(visitor);
    expect(visitor.complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
    await leave();
  } catch (error) {
    console.error(
      `the page showed:\n${await visitor.page.locator('body').innerText()}\n${visitor.complaints.join('\n')}`,
    );
    await visitor.end();
    throw error;
  }
}
