import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refusals } from '../testing/additive';
import { fileOf, Goldens, MANIFEST } from '../testing/goldens';
import { obstacles } from '../testing/passable';
import { shapeOf, TOPIC_NAMES } from '../testing/today';

const goldens = new Goldens(join(__dirname, '../golden'));
const howTo = 'docs/compatibility.md, "After a change of the messages"';

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: goldens.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const hasHistory = (): boolean =>
  existsSync(join(__dirname, '../../../../.git')) && git('rev-parse', '--is-shallow-repository').trim() === 'false';

describe('the record of messages', () => {
  it('is complete, unchanged and named in the manifest', () => {
    expect(goldens.lines().sort()).toEqual(goldens.manifest().sort());
    expect(new Set(goldens.manifest().map(fileOf)).size).toBe(goldens.manifest().length);
  });

  // A copy without its whole history has only the manifest.
  (hasHistory() || process.env['DSR_REQUIRE_HISTORY'] === '1' ? it : it.skip)(
    'only grew in the history of this checkout',
    () => {
      expect(hasHistory()).toBe(true);
      const history = [
        git('log', '--format=', '-p', '-m', '--first-parent', '--', MANIFEST),
        git('diff', 'HEAD', '--', MANIFEST),
      ].join('');
      expect(history.split('\n').filter((line) => line.startsWith('-') && !line.startsWith('---'))).toEqual([]);
    },
  );
});

describe.each(TOPIC_NAMES)('the shape of %s', (topic) => {
  const recorded = goldens.shapes(topic);
  const today = shapeOf(topic);

  it('adds to every earlier shape', () => {
    expect(recorded.map((before) => refusals(before, today))).toEqual(recorded.map(() => []));
  });

  it('has only types that a process can skip without knowing them', () => {
    expect(obstacles(topic, today.types)).toEqual([]);
  });

  it(`is recorded (${howTo})`, () => {
    expect(recorded.at(-1)).toEqual(today);
  });

  it('added each time to the previous one', () => {
    expect(recorded.slice(1).flatMap((shape, n) => refusals(recorded[n]!, shape))).toEqual([]);
  });
});
