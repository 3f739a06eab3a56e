import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const head = (line: string, headers = '') =>
  `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`;

/** Sends the pieces as they are; resolves with the answer and the send error when the server closes the connection. */
export async function sendAll(
  port: number,
  pieces: readonly (string | Buffer)[],
): Promise<{ answer: string; failure: string | undefined }> {
  const socket = createConnection(port, '127.0.0.1');
  const received: Buffer[] = [];
  let failure: string | undefined;
  socket
    .on('data', (chunk: Buffer) => received.push(chunk))
    .on('error', (error: NodeJS.ErrnoException) => (failure = error.code));
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return { answer: Buffer.concat(received).toString(), failure };
}

export const rawExchange = async (port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> =>
  (await sendAll(port, pieces)).answer;

const headersOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** Reads all answers of a connection; each names its length or has no body. */
export function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = headersOf(lines);
    const length = Number(headers['content-length'] ?? 0);
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
