import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer, split into head and body. */
interface WireAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends raw text, which no client would, and resolves with the answer after the service closed the connection. */
export async function wire(url: string, text: string): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  const answer = Buffer.concat(received).toString();
  const end = answer.indexOf('\r\n\r\n');
  return { status: Number(answer.slice(9, 12)), head: answer.slice(0, end), body: answer.slice(end + 4) };
}

const text = expect.any(String) as string;
const dsrError = (code: number) => ({ code, message: text, errors: [{ domain: text, reason: text, message: text }] });
const ingestError = { errors: [{ code: expect.stringMatching(/^[A-Z_]+$/) as string, message: text }] };

/** The rules of every error answer: the body style of its path, its headers, and no input. */
export function expectError(answer: WireAnswer, status: number, isDsr: boolean): void {
  expect(answer.status).toBe(status);
  for (const header of [
    /content-type: application\/json; charset=utf-8/i,
    /x-request-id: [0-9a-f-]{36}/i,
    /cache-control: no-store/i,
    /x-content-type-options: nosniff/i,
  ])
    expect(answer.head).toMatch(header);
  expect(JSON.parse(answer.body)).toEqual(isDsr ? dsrError(status) : ingestError);
  expect(answer.head + answer.body).not.toMatch(/planted/i);
}
