import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { rolldown, type Plugin } from 'rolldown';
import { transform, type Patch } from './transform';

/** Node's modules of chance and time, as the services of a simulation get them. */
const STANDING_IN: Readonly<Record<string, string>> = {
  'node:crypto': 'virtual/crypto.ts',
  'node:timers/promises': 'virtual/timers-promises.ts',
};

/**
 * Large external packages stay outside: mutants change only our code, and bundling them would take most of the time.
 */
const OUTSIDE =
  /^(@nestjs\/.+|fastify|mongoose|rxjs|reflect-metadata|class-validator|class-transformer|prom-client|pino|undici)$/;

const standingIn = (folder: string): Plugin => ({
  name: 'standing-in',
  resolveId: (source, importer) => {
    const file = STANDING_IN[source];
    const isOurs =
      importer !== undefined && !importer.includes('/node_modules/') && !importer.startsWith(join(folder, 'virtual'));
    return file && isOurs ? join(folder, file) : null;
  },
});

const patching = (root: string, patches: readonly Patch[]): Plugin => ({
  name: 'patches',
  load: (id) => {
    const mine = patches.filter(({ file }) => join(root, file) === id);
    return mine.length === 0 ? null : mine.reduce(transform, readFileSync(id, 'utf8'));
  },
});

/** Bundles the program that lives through worlds, with the patches of a mutant. `root` is the repository's. */
export async function bundleWorlds(root: string, file: string, patches: readonly Patch[]): Promise<void> {
  const folder = join(root, 'tools/simulation');
  const bundle = await rolldown({
    input: join(folder, 'child.ts'),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    external: OUTSIDE,
    plugins: [patching(root, patches), standingIn(folder)],
    onLog: (level, log, next) => log.code === 'UNRESOLVED_IMPORT' || next(level, log),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false, keepNames: true });
  await bundle.close();
}
