import firstWorkers from '../jest/first-workers.json';
import { workersOf } from './jest';
import { phaseNames, type PhaseName } from './phases';
import { runTracks, tracks } from './tracks';

it('holds every phase once', () => {
  expect(tracks.flat().sort()).toEqual([...phaseNames].sort());
});

it('runs the phases of a track in order and tracks beside each other', async () => {
  const events: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const running = runTracks(['e2e', 'build', 'unit'], async (name: PhaseName) => {
    events.push(name);
    if (name === 'build') await first.promise;
  });
  await new Promise(setImmediate);
  expect(events).toEqual(['build', 'unit']);
  first.resolve(undefined);
  await running;
  expect(events).toEqual(['build', 'unit', 'e2e']);
});

it('runs the console after the build, which another track makes', async () => {
  const events: string[] = [];
  const building = Promise.withResolvers<undefined>();
  const running = runTracks(['build', 'lint', 'console'], async (name: PhaseName) => {
    if (name === 'build') await building.promise;
    events.push(name);
  });
  await new Promise(setImmediate);
  expect(events).toEqual(['lint']);
  building.resolve(undefined);
  await running;
  expect(events).toEqual(['lint', 'build', 'console']);
});

it('gives suites of different tracks different ports, and none those of what jest does not run', () => {
  // freePorts tells as many workers apart.
  const classes = 8;
  const suites = Object.keys(workersOf) as (keyof typeof workersOf)[];
  const portsOf = tracks.map((track) => {
    const those = suites.filter((suite) => track.includes(suite));
    return new Set(
      those.flatMap((suite) =>
        Array.from({ length: workersOf[suite] }, (_, n) => (firstWorkers[suite] + n + 1) % classes),
      ),
    );
  });
  const all = [0, ...portsOf.flatMap((ports) => [...ports])];
  expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
  expect(Object.keys(firstWorkers).toSorted()).toEqual(suites.toSorted());
});
