import { FollowedStream } from './followed-stream';

const AGAIN_MS = 15_000;

class Source extends EventTarget {
  readyState = 0;

  close(): void {
    this.readyState = 2;
  }

  say(type: string, readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event(type));
  }
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function followed({ isHidden = false } = {}) {
  const sources: Source[] = [];
  const heard: string[] = [];
  const stream = new FollowedStream({
    open: () => {
      const source = new Source();
      sources.push(source);
      return source;
    },
    onChanged: (data) => heard.push(data),
    onReturn: () => heard.push('returned'),
    onRefused: () => heard.push('refused'),
    againMs: AGAIN_MS,
  });
  if (!isHidden) stream.open();
  const source = (): Source => sources.at(-1) ?? new Source();
  return { stream, sources, source, heard };
}

it('says that a stream is back each time that it was lost, and not at its beginning', () => {
  const { source, sources, heard } = followed();
  source().say('open', 1);
  source().dispatchEvent(new MessageEvent('changed', { data: 'a' }));
  expect(heard).toEqual(['a']);
  for (let n = 0; n < 2; n += 1) {
    source().say('error', 0);
    source().say('error', 0);
    source().say('open', 1);
  }
  expect([heard, sources.length]).toEqual([['a', 'returned', 'returned'], 1]);
});

it('opens a stream again that was refused, until it is open or closed', () => {
  const { stream, source, sources, heard } = followed();
  source().say('error', 2);
  jest.advanceTimersByTime(AGAIN_MS);
  source().say('error', 2);
  expect([heard, sources.length]).toEqual([['refused', 'refused'], 2]);
  jest.advanceTimersByTime(AGAIN_MS);
  source().say('open', 1);
  expect([heard.at(-1), sources.length]).toEqual(['returned', 3]);
  source().say('error', 2);
  stream.close();
  jest.advanceTimersByTime(AGAIN_MS);
  expect(sources).toHaveLength(3);
});

it('is closed while nobody sees it, and says that it is back each time that it is opened again', () => {
  const { stream, source, sources, heard } = followed();
  source().say('open', 1);
  stream.open();
  expect(sources).toHaveLength(1);
  for (let n = 0; n < 2; n += 1) {
    stream.close();
    expect(source().readyState).toBe(2);
    stream.open();
    source().say('open', 1);
  }
  expect([heard, sources.length]).toEqual([['returned', 'returned'], 3]);
});

it('is not opened again by itself while it is closed, and says what it missed before it was opened first', () => {
  const { stream, source, sources, heard } = followed({ isHidden: true });
  stream.close();
  expect(sources).toHaveLength(0);
  stream.open();
  source().say('error', 2);
  stream.close();
  jest.advanceTimersByTime(AGAIN_MS);
  expect(sources).toHaveLength(1);
  stream.open();
  source().say('open', 1);
  expect([heard, sources.length]).toEqual([['refused', 'returned'], 2]);
});
