import 'reflect-metadata';
import { OperatorWorld } from '../testing/operator-world';

interface Page {
  readonly entries: readonly Readonly<Record<'id' | 'action' | 'by' | 'reason' | 'workspace', string | null>>[];
  readonly next_cursor: string | null;
}

let world: OperatorWorld;
beforeAll(async () => {
  world = await OperatorWorld.open({ ACCESS_WAIT_MS: '30d' });
});
afterAll(() => world.close());

const audit = async (more = '', groups = ['officer']) =>
  (await (await world.call('GET', `/audit${more}`, { groups })).json()) as Page;

it('lists who asked for what and why, the newest first, by filters, in pages', async () => {
  const ids = [await world.request(), await world.request()];
  for (const [n, id] of ids.entries()) {
    world.world.clock.advance(1_000);
    const body = { reason: `why ${n}` };
    await world.call('POST', `/requests/sandbox/${id}/identities`, { groups: ['officer'], by: `ann${n}`, body });
  }
  await world.world.parts.connection.collection('audit').insertMany([
    {
      ...{ _id: 'x1', ws: '', srid: '', action: 'parked-drop-asked', by: 'ops', because: 'broken', at: new Date(0) },
      ...{ service: 'request', record: 'r1', key: 'k1' },
    },
    { _id: 'x2', ws: 'acme', srid: 's', action: 'identities-read', participant: 'crm', at: new Date(1) },
  ] as never[]);

  const { entries, next_cursor: next } = await audit();
  expect([entries.map(({ action, by, reason }) => [action, by, reason]), next]).toEqual([
    [
      ['identities-revealed', 'ann1', 'why 1'],
      ['identities-revealed', 'ann0', 'why 0'],
      ['identities-read', null, null],
      ['parked-drop-asked', 'ops', 'broken'],
    ],
    null,
  ]);
  expect(entries.slice(-2)).toMatchObject([
    { participant: 'crm', service: null, record: null, key: null },
    { participant: null, service: 'request', record: 'r1', key: 'k1' },
  ]);
  const actions = async (more: string, groups?: string[]) =>
    (await audit(more, groups)).entries.map(({ by, workspace }) => `${by} ${workspace}`);
  expect(await actions('?by=ann0')).toEqual(['ann0 sandbox']);
  expect(await actions('?action=parked-drop-asked')).toEqual(['ops null']);
  expect(await actions('?workspace=acme')).toEqual(['null acme']);
  expect(await actions('?to=1970-01-01T00:00:01Z')).toEqual(['null acme', 'ops null']);
  expect(await actions('', ['officer@acme'])).toEqual(['null acme']);
  expect((await world.call('GET', '/audit?workspace=sandbox', { groups: ['officer@acme'] })).status).toBe(403);

  const pages = [await audit('?limit=1')];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await audit(`?limit=1&cursor=${cursor}`));
  expect(pages.flatMap((page) => page.entries)).toEqual(entries);
});

it('shows no reason once the key of the request is destroyed', async () => {
  const id = await world.request();
  const body = { reason: 'why' };
  await world.call('POST', `/requests/sandbox/${id}/identities`, { groups: ['officer'], by: 'eve', body });
  const reasons = async () => (await audit('?by=eve')).entries.map(({ reason }) => reason);
  expect(await reasons()).toEqual(['why']);
  await world.service.vault.destroy('sandbox', (await world.world.store.find('sandbox', id))?.kid ?? '', 'request');
  expect(await reasons()).toEqual([null]);
});
