import { ConnectionFault } from '@opendsr-service/storage';
import { KeyServiceAway } from '@opendsr-service/vault';
import { exitOf, fail, lineOf, ok, type Check, type Finding } from './finding';
import { findingsInside, type Opening } from './findings-inside';

const LIMIT_MS = 15_000;
const away = new ConnectionFault('MongoDB', 'authentication', { cause: new Error('hunter2') });
const never = () => new Promise<never>(() => undefined);
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const check = (name: string, run: () => Promise<readonly Finding[]>): Check => ({ name, needs: 'MongoDB', run });
const well = (name: string, ms = 0) => check(name, () => wait(ms).then(() => [ok(name, 'well')]));
const opening = (open: Opening<string>['open']): Opening<string> => ({ name: 'mongodb', needs: 'MongoDB', open });
const atOnce = opening((work) => work('opened'));
const skipped = (name: string) => `warn  ${name}: it was not checked: MongoDB is away – check again when it is back`;
const late = (name: string) => `FAIL  ${name}: no answer within 15s – find what it waits for, and check again`;

/** Lets the time go on until everything is found. */
async function found(findings: Promise<readonly Finding[]>): Promise<[number, string[]]> {
  let isOver = false;
  void findings.then(() => (isOver = true));
  for (let minutes = 0; !isOver && minutes < 5; minutes++) await jest.advanceTimersByTimeAsync(60_000);
  const all = await findings;
  return [exitOf(all), all.map(lineOf)];
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('gives each check inside a time of its own, and keeps what was found where the next one says nothing', async () => {
  const inside = findingsInside(
    atOnce,
    () => [well('a', 10_000), well('b', 10_000), check('c', never), well('d')],
    LIMIT_MS,
  );
  expect(await found(inside)).toEqual([3, ['ok    a: well', 'ok    b: well', late('c'), skipped('d')]]);
});

it('ends with 3 where the server goes away meanwhile, and asks nothing more of it', async () => {
  const inside = findingsInside(
    atOnce,
    () => [
      well('a', 14_000),
      check('b', () => Promise.resolve([fail('b', 'broken', 'fix it')])),
      check('c', () => Promise.reject(away)),
      check('d', () => Promise.reject(new Error('asked'))),
    ],
    LIMIT_MS,
  );
  const [code, lines] = await found(inside);
  expect([code, lines.map((line) => line.slice(0, 8))]).toEqual([3, ['ok    a:', 'FAIL  b:', 'FAIL  c:', 'warn  d:']]);
});

it('asks MongoDB on where another server is away, such as the key service', async () => {
  const inside = findingsInside(
    atOnce,
    () => [check('a', () => Promise.reject(new KeyServiceAway('the key service does not answer'))), well('b')],
    LIMIT_MS,
  );
  const todo = 'start it, or correct its address and credentials';
  expect(await found(inside)).toEqual([3, [`FAIL  a: the key service does not answer – ${todo}`, 'ok    b: well']]);
});

it('ends with 3 where opening takes too long, and begins nothing when it is open at last', async () => {
  let asked = 0;
  let isClosed = false;
  const slow = opening(async (work) => {
    await wait(16_000);
    await work('opened');
    isClosed = true;
  });
  const inside = findingsInside(
    slow,
    () => [check('a', () => Promise.resolve([ok('a', String((asked += 1)))]))],
    LIMIT_MS,
  );
  expect(await found(inside)).toEqual([3, [late('mongodb')]]);
  expect([asked, isClosed]).toEqual([0, true]);
});

it('says why it could not be opened, or not be closed', async () => {
  expect(
    (
      await found(
        findingsInside(
          opening(() => Promise.reject(away)),
          () => [],
          LIMIT_MS,
        ),
      )
    )[0],
  ).toBe(3);
  const open = opening(async (work) => {
    await work('opened');
    throw new Error('hunter2');
  });
  expect(await found(findingsInside(open, (opened) => [well(opened)], LIMIT_MS))).toEqual([
    1,
    ['ok    opened: well', 'FAIL  mongodb: the command failed (Error) – fix it, and check again'],
  ]);
});
