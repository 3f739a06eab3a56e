import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { until } from '../receiver/until';
import { json, requestBody, type Answer } from './controller';
import { copyEverything, together, type Copied } from './destroyed/copies';
import { Reader, type KeyFiles } from './destroyed/reader';
import { generationOf, rotateAt, rotateByItself } from './destroyed/rotate';
import { awaitAttestation, awaitResult, awaitStatus } from './follow';
import { FULL } from './full';
import { ingestPersonFully } from './ingest-person-fully';
import { PlantedText } from './planted';
import { heldOf } from './rollback';
import { suiteSettings, type Service } from './service';
import { closeWorld, identitiesOf, openWorld, rulesOn, somebody, type Person, type World } from './world';

const TEST_MS = 900_000;

/** Keys of ended requests of an erased person are destroyed at once. */
export const destroyedSettings = {
  ...suiteSettings,
  REQUEST_KEY_KEEP_ERASED_MS: '100ms',
  ERASURE_SECOND_PASS_MS: '100ms',
  SWEEP_POLL_MS: '100ms',
};

const keyFilesOf = ({ operatorEnv: { DATA_DIR = '', ...env } }: Service): KeyFiles => ({
  masterKeyFile: env['MASTER_KEY_FILE'] ?? join(DATA_DIR, 'keys/master.key'),
  generationFolder: env['KEY_GENERATION_FOLDER'] ?? join(DATA_DIR, 'keys/generations'),
});

/** Destroyed means destroyed (decision 26), over a whole service that has generations. */
export function destroyedContract(name: string, start: () => Promise<Service>): void {
  describe(`what was erased, on ${name}`, () => {
    let world: World | undefined;
    const opened = () => {
      if (!world) throw new Error('the service did not start');
      return world;
    };

    beforeAll(async () => {
      world = await openWorld(start);
    }, TEST_MS);
    afterAll(async () => {
      if (world) await closeWorld(world);
    }, TEST_MS);

    rulesOn(opened)(
      'opens from no copy that was ever made once the generation of its keys is gone, with every key that exists',
      async (one) => {
        const { service, planted } = one;
        const files = keyFilesOf(service);
        const kept = await plant({ ...one, planted: new PlantedText() });
        const erased = await plant(one);
        const { srid } = await awaitArchive(erased);
        const before = await copyStopped(service);
        const erasure = await erase(erased, srid);
        const between = await copyStopped(service);

        const control = (await Reader.withKeysOf(files)).opens(together(before, between), planted);
        for (const place of placesOf(service)) expect([...control]).toContainEqual(expect.stringMatching(place));

        const { current } = await generationOf(service.stores);
        if (FULL) await rotateByItself(service);
        else await service.restart({}, () => rotateAt(service.stores, files));
        expect((await generationOf(service.stores)).gone).toBe(current);

        const all = together(before, between, await copyStopped(service));
        const reader = await Reader.withKeysOf(files);
        expect([...reader.opens(all, planted)]).toEqual([]);
        expect(reader.opens(all, kept.planted).size).toBeGreaterThan(0);
        expect(all.items.filter(({ bytes }) => planted.in(bytes)).map(({ where }) => where)).toEqual([]);
        const { status } = await awaitArchive(kept);
        expect(status).toBe(200);

        const second = predicateOf(await awaitAttestation(one.controller, erasure.srid, '?statement=2'));
        const previous = createHash('sha256').update(erasure.attestation.body).digest('base64url');
        expect(second).toMatchObject({ statement: 2, requestId: erasure.srid, previous });
        expect(second).toHaveProperty('erasure.generationDestroyedAt');
        // The keys of the profile and of the archive. Those of both requests are gone too, and no statement counts them.
        for (const predicate of [predicateOf(erasure.attestation), second])
          expect(predicate).toMatchObject({ destroyed: { profiles: 1, archives: 1, keys: 2 } });
      },
      TEST_MS,
    );
  });
}

interface Planted extends World {
  readonly person: Person;
  readonly mpid: string;
}

async function plant(world: World): Promise<Planted> {
  const person = somebody(world);
  return { ...world, person, mpid: await ingestPersonFully(world, person) };
}

/** Any archive would be taken for one of the erased person, so only that one has one at first. */
async function awaitArchive({ controller, person }: Pick<Planted, 'controller' | 'person'>) {
  const body = requestBody({ subject_identities: identitiesOf(person) });
  expect((await controller.create(body)).status).toBe(201);
  const { status } = await awaitResult(controller, body.subject_request_id);
  return { srid: body.subject_request_id, status };
}

/** Until no key of the person and of the request for the archive is left, and the erasure is attested. */
async function erase({ controller, service, person, mpid }: Planted, srid: string) {
  const held = await heldOf(service.stores, { mpid, srid });
  const body = requestBody({ subject_request_type: 'erasure', subject_identities: identitiesOf(person) });
  expect((await controller.create(body)).status).toBe(201);
  await awaitStatus(controller, body.subject_request_id, 'completed');
  await until('the keys of ended requests to be gone', async () => (await held.again()).found.length === 0);
  await until(
    'the key of the erasure to be gone',
    async () => (await heldOf(service.stores, { mpid, srid: body.subject_request_id })).found.length === 0,
  );
  const attestation = await awaitAttestation(controller, body.subject_request_id, '?statement=1');
  return { srid: body.subject_request_id, attestation };
}

function predicateOf(envelope: Answer): unknown {
  const payload = Buffer.from(json<{ payload: string }>(envelope).payload, 'base64');
  return (JSON.parse(payload.toString()) as { predicate: unknown }).predicate;
}

async function copyStopped(service: Service): Promise<Copied> {
  let copied: Copied | undefined;
  await service.restart({}, async () => void (copied = await copyEverything(service)));
  if (!copied) throw new Error('there is no copy');
  return copied;
}

/** Where the control has to find something: else the search was in the wrong place. */
const placesOf = ({ stores }: Service): RegExp[] =>
  'dataDir' in stores
    ? [/^gateway\.sqlite$/, /^ingestion\.sqlite$/, /^log\.db$/, /^results\.sqlite$/]
    : [/gateway\.requests$/, /ingestion\.profiles$/, /results\.chunks$/, /^collection-/, /^journal\//];
