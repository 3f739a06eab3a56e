import { join } from 'node:path';
import { defineConfig } from 'vite';
import { packageFolders } from './build/package-folders.mjs';
import { withoutFonts } from './build/without-fonts.mjs';

const root = import.meta.dirname;

/** The console: hashed files below /console/assets/, and one page. Nothing inline, which the policy of its server forbids. */
export default defineConfig({
  root,
  base: '/console/',
  plugins: [withoutFonts, packageFolders(join(root, '../..'))],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Which files belong to which page, for the check of sizes.
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      // Modules of the vocabulary that need Node; no page uses them, which a test of the build proves.
      onLog: (level, log, next) => /externalized for browser/.test(log.message) || next(level, log),
    },
  },
  // `vite` alone serves the sources, beside a service that `npm start` runs.
  server: { proxy: { '/operator': 'http://localhost:8080', '/console/settings.json': 'http://localhost:8080' } },
});
