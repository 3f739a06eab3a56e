import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { egressSources } from './sources.client';

const A = 1;
const AAAA = 28;
const bytesOf = { [A]: [127, 0, 0, 2], [AAAA]: [...Array<number>(15).fill(0), 3] };
type Kind = typeof A | typeof AAAA;

/** The answer to one question: an address of its kind, or that there is no such name. */
function answerTo(question: Buffer, kind: Kind, isKnown: boolean): Buffer {
  const body = question.subarray(12, question.indexOf(0, 12) + 5);
  const head = Buffer.from([
    question[0] ?? 0,
    question[1] ?? 0,
    0x81,
    isKnown ? 0x80 : 0x83,
    0,
    1,
    0,
    isKnown ? 1 : 0,
    0,
    0,
    0,
    0,
  ]);
  const address = bytesOf[kind];
  return Buffer.concat([
    head,
    body,
    ...(isKnown ? [Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, address.length, ...address])] : []),
  ]);
}

let server: Socket;
let answers: (kind: Kind) => 'address' | 'unknown' | 'nothing';
const sources = (timeoutMs: number) => egressSources({ timeoutMs, servers: [`127.0.0.1:${server.address().port}`] });

beforeEach(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const kind = question[question.indexOf(0, 12) + 2] as Kind;
    const answer = answers(kind);
    if (answer !== 'nothing') server.send(answerTo(question, kind, answer === 'address'), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
});

it('the addresses of a stranger are those of both families', async () => {
  answers = () => 'address';
  await expect(sources(5_000).ofStranger('controller.example')).resolves.toEqual([
    { address: '::3', family: 6 },
    { address: '127.0.0.2', family: 4 },
  ]);
});

it('are those of one family where the other has none, or nobody answers for it', async () => {
  answers = (kind) => (kind === A ? 'address' : 'unknown');
  await expect(sources(5_000).ofStranger('controller.example')).resolves.toEqual([{ address: '127.0.0.2', family: 4 }]);
  answers = (kind) => (kind === A ? 'address' : 'nothing');
  await expect(sources(1_000).ofStranger('controller.example')).resolves.toEqual([{ address: '127.0.0.2', family: 4 }]);
});

it('a name that nobody knows is an error of DNS', async () => {
  answers = () => 'unknown';
  await expect(sources(5_000).ofStranger('controller.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('names that nobody answers for take no thread of those that sign, and end at the time-out', async () => {
  answers = () => 'nothing';
  const looking = Array.from({ length: 8 }, (_, n) =>
    sources(200)
      .ofStranger(`dead-${n}.example`)
      .catch((error: NodeJS.ErrnoException) => error.code),
  );
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
  for (const code of await Promise.all(looking)) expect(['ECANCELLED', 'ETIMEOUT']).toContain(code);
});

it('the names of the machine are those of its own resolver', async () => {
  await expect(sources(100).ofVouched('localhost')).resolves.toContainEqual({ address: '127.0.0.1', family: 4 });
});

it('the addresses of the machine are whole, without the interface that they are of', () => {
  expect(sources(100).own()).toContain('127.0.0.1');
  for (const address of sources(100).own()) expect(address).not.toContain('%');
});
