import { itInFull, startsChildren, type Child } from '../testing/run-child';

const start = startsChildren();

/** The numbers of the lines that a child logged, in the order of its output. */
const counts = ({ output }: Child): number[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"Talking"'))
    .map((line) => (JSON.parse(line) as { count: number }).count);
const upTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n);

/** A few lines wait to be written together; thousands are written in many parts. */
const [few, many] = [3, 5_000];

describe('all lines are there', () => {
  type Death = readonly [failAt: string, lines: number, code: number, message: string];
  const deaths: readonly Death[] = [['exception', many, 1, 'The process cannot go on']];
  const furtherDeaths: readonly Death[] = [
    ['spinning', few, 1, 'The event loop does not turn'],
    ['rejection', few, 1, 'The process cannot go on'],
    ['exit', few, 3, 'Listening'],
    ['later', few, 1, 'The process cannot go on'],
    ['exception', few, 1, 'The process cannot go on'],
    ['exit', many, 3, 'Listening'],
  ];
  const whenItDies = ['when the process dies by itself (%s, %d lines)', dies] as const;
  it.each(deaths)(...whenItDies);
  itInFull.each(furtherDeaths)(...whenItDies);

  async function dies(FAIL_AT: string, lines: number, code: number, message: string): Promise<void> {
    // Thousands of lines may take seconds to write where the reader of the pipe is slow, which is no stall.
    const LOOP_STALL_LIMIT_MS = FAIL_AT === 'spinning' ? '2s' : '5min';
    const child = start({ FAIL_AT, LINES: String(lines), LOOP_STALL_LIMIT_MS });
    expect(await child.ended).toBe(code);
    expect(counts(child)).toEqual(upTo(lines));
    expect(await child.line(message)).toMatchObject({ msg: message });
  }

  type Stop = readonly [signal: NodeJS.Signals, env: Record<string, string>, lines: number, end: [number, string]];
  const stops: readonly Stop[] = [
    ['SIGTERM', {}, many, [0, 'Stopped']],
    ['SIGTERM', { FAIL_AT: 'never-closes', STOP_TIMEOUT_MS: '300ms' }, few, [1, 'Stopping took too long']],
    ['SIGTERM', { FAIL_AT: 'closing' }, few, [1, 'A step of stopping failed']],
    ['SIGTERM', {}, few, [0, 'Stopped']],
    ['SIGINT', {}, few, [0, 'Stopped']],
    ['SIGTERM', { FAIL_AT: 'spinning-on-stop', STOP_TIMEOUT_MS: '300ms' }, few, [1, 'Stopping took too long']],
  ];
  const whenItStops = ['when it stops on %s, also those of the stop (%j, %d lines)', stopsWhole] as const;
  itInFull.each(stops)(...whenItStops);

  async function stopsWhole(...[signal, env, lines, [code, message]]: Stop): Promise<void> {
    const child = start({ LINES: String(lines), ...env });
    await child.line('"Listening"');
    child.kill(signal);
    expect(await child.ended).toBe(code);
    expect(counts(child)).toEqual(upTo(2 * lines));
    expect(await child.line(message)).toMatchObject({ msg: message });
  }

  itInFull('when a second signal ends the stop', async () => {
    const child = start({ LINES: String(few), FAIL_AT: 'never-closes', STOP_TIMEOUT_MS: '1h' });
    // They are written although nothing follows them.
    expect(await child.line('"Talking"')).toMatchObject({ count: 0 });
    child.kill('SIGTERM');
    await child.line('store closed');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(counts(child)).toEqual(upTo(2 * few));
  });
});
