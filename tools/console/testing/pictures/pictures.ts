import type { RouteName } from '@opendsr-service/console';
import type { Scene } from './scene';
import { giveReason } from '../give-reason';
import type { Visitor } from '../visitor';

/** A picture of the docs: a page of the console with the data of the scene, as a viewer has left it. */
export interface Picture {
  /** Of the file, without its end. */
  readonly name: string;
  readonly page: RouteName;
  /** What is done on the page before. */
  readonly act?: (visitor: Visitor, scene: Scene) => Promise<void>;
  /** The request that it is about, where its page is of one. */
  readonly request?: 'open' | 'completed' | 'failing';
  /** As it is printed, the whole of it. */
  readonly isPrinted?: boolean;
}

/** No part of the page is still read. */
const ALL_LOADED = 'main:not(:has(.pf-v6-c-spinner))';

interface Scrolled {
  scrollIntoView(): void;
}

const below =
  (heading: string) =>
  async ({ page }: Visitor): Promise<void> => {
    await page.locator(ALL_LOADED).waitFor();
    await page
      .locator('section.console-section')
      .filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
      .evaluate((section: Scrolled) => section.scrollIntoView());
  };

/** Every picture of docs/pictures, in the order of the docs. */
export const PICTURES: readonly Picture[] = [
  { name: 'overview', page: 'overview' },
  { name: 'requests', page: 'requests' },
  { name: 'requests-due', page: 'requests', act: ({ page }) => overdue(page) },
  { name: 'request', page: 'request', request: 'open' },
  {
    name: 'extend',
    page: 'request',
    request: 'open',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Extend the legal date' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Two archives of 2019 are on tape.');
    },
  },
  { name: 'time-line', page: 'request', request: 'completed', act: below('Time line') },
  {
    name: 'reveal',
    page: 'request',
    request: 'open',
    act: async (visitor) => {
      await giveReason(visitor.page, 'Show the identities', 'The data subject calls and has no reference.');
      await visitor.page.getByText('Somebody else must approve it').waitFor();
      await below('Identities')(visitor);
    },
  },
  { name: 'approvals', page: 'reveals' },
  {
    name: 'attestation',
    page: 'request',
    request: 'completed',
    act: async (visitor) => {
      await visitor.page.getByRole('button', { name: 'Verify in this browser' }).click();
      await visitor.page.getByText('It is valid').waitFor();
      await below('Attestation')(visitor);
    },
  },
  {
    name: 'print',
    page: 'request',
    request: 'completed',
    isPrinted: true,
    act: async ({ page }) => page.locator(ALL_LOADED).waitFor(),
  },
  {
    name: 'evidence',
    page: 'evidence',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Audit in this browser' }).click();
      await page
        .getByText(/^Success alert:.*Sound:|Sound:/)
        .first()
        .waitFor();
    },
  },
  { name: 'audit', page: 'audit' },
  {
    name: 'first-steps',
    page: 'firstRun',
    act: async (visitor) => {
      const { page } = visitor;
      await page.getByLabel('What the person asks for').selectOption('erasure');
      await page.getByRole('button', { name: 'Create the request' }).click();
      await page.getByRole('log').getByText('Verified: the service signed it').nth(2).waitFor();
      await below('Your request')(visitor);
    },
  },
  { name: 'destinations', page: 'destinations' },
  { name: 'destination', page: 'destination' },
  {
    name: 'callbacks',
    page: 'request',
    request: 'failing',
    act: async (visitor) => {
      await visitor.page.locator('summary').first().click();
      await below('Callbacks')(visitor);
    },
  },
  { name: 'parked', page: 'parked' },
  { name: 'parked-record', page: 'parkedRecord' },
  { name: 'workspaces', page: 'workspaces' },
  { name: 'workspace', page: 'workspace' },
  { name: 'participants', page: 'participants' },
  { name: 'system', page: 'system' },
];

async function overdue(page: Visitor['page']): Promise<void> {
  await page.getByLabel('Due', { exact: true }).selectOption('7d');
  await page.waitForURL('**/console/requests?due_within=7d');
}
