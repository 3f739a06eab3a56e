import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { egressSources } from './sources.client';

const A = 1;
const AAAA = 28;
const bytesOf = { [A]: [127, 0, 0, 2], [AAAA]: [...Array<number>(15).fill(0), 3] };
type Kind = typeof A | typeof AAAA;

/** An address of the kind, or the error for an unknown name. */
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

it('a host that is not allowed by name resolves to addresses of both families', async () => {
  answers = () => 'address';
  await expect(sources(5_000).ofOtherHost('controller.example')).resolves.toEqual([
    { address: '::3', family: 6 },
    { address: '127.0.0.2', family: 4 },
  ]);
});

it('a host resolves to one family if the other has no address or no answer', async () => {
  answers = (kind) => (kind === A ? 'address' : 'unknown');
  await expect(sources(5_000).ofOtherHost('controller.example')).resolves.toEqual([
    { address: '127.0.0.2', family: 4 },
  ]);
  answers = (kind) => (kind === A ? 'address' : 'nothing');
  await expect(sources(1_000).ofOtherHost('controller.example')).resolves.toEqual([
    { address: '127.0.0.2', family: 4 },
  ]);
});

it('an unknown name is an error of DNS', async () => {
  answers = () => 'unknown';
  await expect(sources(5_000).ofOtherHost('controller.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('names without an answer block no signing thread and end at the time-out', async () => {
  answers = () => 'nothing';
  const looking = Array.from({ length: 8 }, (_, n) =>
    sources(200)
      .ofOtherHost(`dead-${n}.example`)
      .catch((error: NodeJS.ErrnoException) => error.code),
  );
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
  for (const code of await Promise.all(looking)) expect(['ECANCELLED', 'ETIMEOUT']).toContain(code);
});

it('allowed hosts resolve by the resolver of the machine', async () => {
  await expect(sources(100).ofAllowedHost('localhost')).resolves.toContainEqual({ address: '127.0.0.1', family: 4 });
});

it('the addresses of the machine have no zone', () => {
  expect(sources(100).own()).toContain('127.0.0.1');
  for (const address of sources(100).own()) expect(address).not.toContain('%');
});
