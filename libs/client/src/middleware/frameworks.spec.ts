import { once } from 'node:events';
import express from 'express';
import { given, onExpress, reading, type Running, type Start } from '../testing/frameworks';
import { callbackText, makeSender, type Sender } from '../testing/sender';
import { nodeCallbacks } from './node';
import type { CallbackHandler, CallbackOptions, Rejection, VerifiedCallback } from './receive';

const URL_OF_MINE = 'https://controller.example.com/callbacks';
let sender: Sender;
let running: Running | undefined;
let taken: VerifiedCallback[];
let rejected: Rejection[];
let errors: unknown[];

beforeAll(async () => {
  sender = await makeSender();
});
beforeEach(() => {
  [taken, rejected, errors] = [[], [], []];
});
afterEach(() => running?.close());

const optionsOf = (): CallbackOptions => ({
  ...sender.trusting,
  callbackUrls: [URL_OF_MINE],
  onRejected: (rejection) => void rejected.push(rejection),
  onError: (error) => void errors.push(error),
});

async function post(
  body: string,
  {
    method = 'POST',
    signed = body,
    headers = {},
  }: { method?: string; signed?: string; headers?: Record<string, string> } = {},
) {
  const answer = await fetch(running?.url ?? '', {
    method,
    headers: { ...sender.headersOf(signed), ...headers },
    ...(method === 'POST' && { body }),
  });
  return { status: answer.status, text: await answer.text(), allow: answer.headers.get('allow') };
}

async function listen(start: Start, handler: CallbackHandler = (callback) => void taken.push(callback)): Promise<void> {
  running = await start(optionsOf(), handler);
}

describe.each([...reading, ...given])('on %s', (_name, start) => {
  it('the handler gets a callback with the signed bytes, and the answer is 202', async () => {
    await listen(start);
    const body = callbackText(URL_OF_MINE);
    expect(await post(body)).toMatchObject({ status: 202, text: '' });
    expect(taken.map(({ rawBody }) => rawBody.toString())).toEqual([body]);
    expect(taken[0]).toMatchObject({
      version: '2.0',
      callback: { request_status: 'pending' },
      deliveryId: expect.any(String) as string,
    });
    expect([rejected, errors]).toEqual([[], []]);
  });

  it('a failed check is answered with an empty 401, and reported to the hook', async () => {
    await listen(start);
    const body = callbackText(URL_OF_MINE);
    const notMine = callbackText('https://elsewhere.example/callbacks');
    const answers = [
      await post(body, { signed: `${body} ` }),
      await post(notMine),
      await post(body, { headers: { 'x-opendsr-processor-domain': 'other.example' } }),
      await post(''),
    ];
    expect(answers).toEqual(Array(4).fill({ status: 401, text: '', allow: null }));
    expect(rejected.map(({ reason }) => reason)).toEqual(['signature', 'url', 'domain', 'body']);
    expect(rejected[0]?.checks.at(-1)).toMatchObject({ check: 'signature', passed: false });
    expect(taken).toEqual([]);
  });

  it('a failed handler is answered with an empty 500, so that the sender retries', async () => {
    const failure = Object.assign(new Error('no room'), { status: 410, statusCode: 410 });
    await listen(start, () => Promise.reject(failure));
    expect(await post(callbackText(URL_OF_MINE))).toEqual({ status: 500, text: '', allow: null });
    expect(errors).toEqual([failure]);
  });
});

it.each(reading)('on %s, another method is 405, another type 415, a larger body 413', async (_name, start) => {
  await listen(start);
  const large = JSON.stringify('x'.repeat(270_000));
  const answers = [
    await post('', { method: 'GET' }),
    await post('{}', { headers: { 'content-type': 'text/plain' } }),
    await post('{}', { headers: { 'content-encoding': 'gzip' } }),
    await post(large),
  ];
  expect(answers.map(({ status }) => status)).toEqual([405, 415, 415, 413]);
  expect(answers.map(({ text, allow }) => [text, allow])).toEqual([
    ['', 'POST'],
    ['', null],
    ['', null],
    ['', null],
  ]);
  expect(rejected.map(({ reason }) => reason)).toEqual(['method', 'content-type', 'content-encoding', 'size']);
});

it.each(reading)('on %s, the longest callback of the service is taken', async (_name, start) => {
  await listen(start);
  const extensions = Array.from({ length: 100 }, () => ({
    domain: 'd'.repeat(253),
    name: 'n'.repeat(63),
    status: 'failed' as const,
    status_message: '\u0001'.repeat(256),
  }));
  const body = callbackText(URL_OF_MINE, extensions);
  expect(await post(body)).toMatchObject({ status: 202 });
  expect(taken.map(({ callback }) => callback.extensions)).toEqual([extensions]);
});

it('explains what to do if a parser of the application has discarded the bytes', async () => {
  running = await onExpress((app) => app.use(express.json()))(optionsOf(), () => undefined);
  expect(await post(callbackText(URL_OF_MINE))).toMatchObject({
    status: 500,
    text: expect.stringContaining('register expressCallbacks before express.json()') as string,
  });
});

it('answers an empty 500 also where the hook of errors fails', async () => {
  const warned = once(process, 'warning');
  const onError = () => {
    throw new Error('no log');
  };
  const late = nodeCallbacks({ ...optionsOf(), onError }, () => undefined);
  const discarding = onExpress((app) => app.use(express.json(), (request, response) => late(request, response)));
  running = await discarding(optionsOf(), () => undefined);
  expect(await post(callbackText(URL_OF_MINE))).toEqual({ status: 500, text: '', allow: null });
  expect(await warned).toMatchObject([{ message: 'no log' }]);
});
