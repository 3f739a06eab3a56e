import type { PhaseName } from './phases';

/**
 * Phases of a track run one after the other, tracks beside each other. Suites on built apps and real servers wait half of their
 * time; lint, simulation and unit compute meanwhile, at a lower priority. Unit, the longest, comes last: it uses all cores until the end.
 */
export const tracks: readonly (readonly PhaseName[])[] = [
  ['build', 'int', 'e2e', 'faults'],
  ['lockfile', 'lint', 'simulation', 'unit'],
  ['cluster', 'console'],
];

/** What a phase of another track makes for it. */
const needs: Partial<Record<PhaseName, PhaseName>> = { console: 'build' };

/** Runs the chosen phases in their tracks and resolves when all have ended. */
export async function runTracks(names: readonly PhaseName[], run: (name: PhaseName) => Promise<void>): Promise<void> {
  const ends = new Map(names.map((name) => [name, Promise.withResolvers<undefined>()]));
  await Promise.all(
    tracks.map(async (track) => {
      for (const name of track.filter((one) => ends.has(one))) {
        const needed = needs[name];
        if (needed) await ends.get(needed)?.promise;
        await run(name);
        ends.get(name)?.resolve(undefined);
      }
    }),
  );
}
