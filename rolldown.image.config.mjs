// The bundle that the image holds: all apps from one build, so that what they have in common lies there once.
import { defineConfig } from 'rolldown';
import { join } from 'node:path';
import { thirdParties } from './docker/third-parties.mjs';
import { consoleFiles, consolePackages, docsPage, silentOnOptionalPeers, swaggerUi } from './rolldown.config.mjs';

/** What the image's launcher takes as its first argument, and where each begins. */
export const apps = {
  gateway: 'apps/gateway/src/main.ts',
  request: 'apps/request/src/main.ts',
  'callback-dispatcher': 'apps/callback-dispatcher/src/main.ts',
  results: 'apps/results/src/main.ts',
  ingestion: 'apps/ingestion/src/main.ts',
  standalone: 'apps/standalone/src/main.ts',
  dsr: 'apps/cli/src/main.ts',
};

/**
 * Hashes in names are those of contents: the same sources and lockfile give the same files, byte by byte. Without the strict order
 * a chunk may run before one that it relies on and does not import: decorators before reflect-metadata.
 */
export default defineConfig({
  cwd: import.meta.dirname,
  input: apps,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  plugins: [
    docsPage,
    consoleFiles,
    thirdParties({
      root: import.meta.dirname,
      also: [swaggerUi, ...consolePackages()],
      runtime: join(import.meta.dirname, 'node_modules/node'),
    }),
  ],
  output: {
    dir: 'dist/image',
    // CommonJS: Node takes a code cache of ours for no ES module.
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[hash].cjs',
    keepNames: true,
    strictExecutionOrder: true,
  },
  onLog: silentOnOptionalPeers,
});
