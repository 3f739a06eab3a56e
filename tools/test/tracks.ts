import type { PhaseName } from './phases';

/**
 * Phases of a track run one after the other, tracks beside each other. Suites on built apps and real servers wait most of their
 * time; the other track computes meanwhile, so that both cores are busy.
 */
export const tracks: readonly (readonly PhaseName[])[] = [
  ['build', 'int', 'e2e', 'console', 'faults'],
  ['lockfile', 'unit', 'lint', 'simulation', 'cluster'],
];

/** Runs the chosen phases in their tracks and resolves when all have ended. */
export async function runTracks(names: readonly PhaseName[], run: (name: PhaseName) => Promise<void>): Promise<void> {
  await Promise.all(
    tracks.map(async (track) => {
      for (const name of track) if (names.includes(name)) await run(name);
    }),
  );
}
