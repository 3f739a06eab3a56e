import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { refusals } from '../testing/additive';
import { fileOf, Goldens, MANIFEST } from '../testing/goldens';
import { obstacles } from '../testing/passable';
import { shapeOf, TOPIC_NAMES } from '../testing/today';

const goldens = new Goldens(join(__dirname, '../golden'));
const howTo = 'docs/compatibility.md, "After a change of the messages"';

describe('what is recorded of messages', () => {
  it('is all there, as it was recorded, and named in the manifest', () => {
    expect(goldens.lines().sort()).toEqual(goldens.manifest().sort());
    expect(new Set(goldens.manifest().map(fileOf)).size).toBe(goldens.manifest().length);
  });

  it('was only ever added to, as far back as the history of this checkout goes', () => {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: goldens.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    let history: string;
    try {
      history = [
        git('log', '--format=', '-p', '-m', '--first-parent', '--', MANIFEST),
        git('diff', 'HEAD', '--', MANIFEST),
      ].join('');
    } catch {
      // A copy without history has the manifest alone.
      return;
    }
    expect(history.split('\n').filter((line) => line.startsWith('-') && !line.startsWith('---'))).toEqual([]);
  });
});

describe.each(TOPIC_NAMES)('the shape of %s', (topic) => {
  const recorded = goldens.shapes(topic);
  const today = shapeOf(topic);

  it('adds to every shape that it ever had', () => {
    expect(recorded.map((before) => refusals(before, today))).toEqual(recorded.map(() => []));
  });

  it('has types alone that a process which does not know them can pass over', () => {
    expect(obstacles(topic, today.types)).toEqual([]);
  });

  it(`is recorded (${howTo})`, () => {
    expect(recorded.at(-1)).toEqual(today);
  });

  it('added each time to the one before', () => {
    expect(recorded.slice(1).flatMap((shape, n) => refusals(recorded[n]!, shape))).toEqual([]);
  });
});
