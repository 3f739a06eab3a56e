import { answersIn, head, rawExchange } from './testing/exchange';
import { startNotes } from './testing/notes-server';

let notes: Awaited<ReturnType<typeof startNotes>>;
beforeAll(async () => {
  notes = await startNotes();
});
afterAll(() => notes.stop());

const statuses = async (port: number, ...pieces: readonly string[]): Promise<number[]> =>
  answersIn(await rawExchange(port, ...pieces)).map(({ status }) => status);

describe.each([
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'application/json; charset=ISO-8859-1',
  'no-type-at-all',
  '',
])('a body of the type %j', (type) => {
  const typed = `Content-Type: ${type}\r\n`;

  it.each([
    ['without a length', '', ''],
    ['of length 0', 'Content-Length: 0\r\n', ''],
    ['in chunks without a byte', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ])('that is empty, %s, is no body: the method runs, or misses its body', async (_what, framing, end) => {
    for (const { port, path } of notes.places) {
      // The route of DELETE fails on purpose: a 500 shows that it ran.
      expect(await statuses(port, head(`DELETE ${path}/planted`, typed + framing), end)).toEqual([500]);
      expect(await statuses(port, head(`POST ${path}`, typed + framing), end)).toEqual([400]);
    }
  });

  it('in chunks gets a readable 415 at its first byte', async () => {
    for (const { port, path } of notes.places) {
      for (const end of ['', '0\r\n\r\n'])
        expect(
          await statuses(
            port,
            head(`DELETE ${path}/planted`, `${typed}Transfer-Encoding: chunked\r\n`),
            '1\r\nx\r\n',
            end,
          ),
        ).toEqual([415]);
    }
  });
});
