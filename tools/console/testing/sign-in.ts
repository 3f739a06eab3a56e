import type { Browser } from 'playwright-core';
import { signInLinkOf, type Place } from './places';
import type { ProvidedPlace } from './provided-place';
import { Visitor, type Identity } from './visitor';

/** Uses the link of a sandbox, as its first reader does. Returns what a browser then holds. */
export async function signInByLink(browser: Browser, { service, consoleUrl }: Place): Promise<Identity> {
  const visitor = await Visitor.enter(browser, consoleUrl);
  await visitor.page.goto(await signInLinkOf(service));
  await visitor.page.getByRole('navigation').waitFor();
  const identity = await visitor.context.storageState();
  await visitor.leave();
  return identity;
}

/** Somebody of these groups signs in at the identity provider, from the page that the visitor has opened. */
export async function signInAtProvider(
  visitor: Visitor,
  { provider }: Pick<ProvidedPlace, 'provider'>,
  { person, groups }: { readonly person: string; readonly groups: readonly string[] },
): Promise<void> {
  provider.person = person;
  provider.groups = groups;
  await visitor.page.getByRole('button', { name: 'Sign in' }).click();
  await visitor.page.getByRole('navigation').waitFor();
  await visitor.settled();
}
