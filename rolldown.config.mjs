import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'rolldown';

/** The package of the API's page. */
export const swaggerUi = dirname(
  createRequire(new URL('libs/edge/package.json', import.meta.url)).resolve('swagger-ui-dist/package.json'),
);
// As in libs/edge/src/docs/page.ts: what the page loads.
const pageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'favicon-32x32.png'];

/** Puts the files of the API's page beside an app that holds a document of an API, so that it needs no packages at run time. */
export const docsPage = {
  name: 'docs-page',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) =>
      chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
    );
    if (!modules.some((id) => /\/src\/openapi\/\w+\.json$/.test(id))) return;
    for (const file of pageFiles)
      this.emitFile({ type: 'asset', fileName: `docs/${file}`, source: readFileSync(join(swaggerUi, file)) });
  },
};

const consoleDist = process.env.CONSOLE_DIST ?? new URL('apps/console/dist/', import.meta.url).pathname;

/** Puts the built console beside an app that serves it. */
export const consoleFiles = {
  name: 'console-files',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) =>
      chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
    );
    if (!modules.some((id) => id.endsWith('/gateway/src/operator/operator-platform.wiring.ts'))) return;
    if (!existsSync(consoleDist)) this.error('build the console first: nx run @opendsr-service/console:build');
    for (const entry of readdirSync(consoleDist, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const fileName = join('console', relative(consoleDist, path));
      if (entry.isFile() && !fileName.includes('/.vite/'))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    }
  },
};

/** Folders of the packages of which the console holds code or style. */
export const consolePackages = () =>
  JSON.parse(readFileSync(join(consoleDist, '.vite/packages.json'), 'utf8')).map((folder) =>
    join(import.meta.dirname, folder),
  );

/** Optional peers that are not installed stay external and are never loaded. */
export const silentOnOptionalPeers = (level, log, next) => log.code === 'UNRESOLVED_IMPORT' || next(level, log);

/** One self-contained file per app. */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  tsconfig: '../../tsconfig.json',
  plugins: [docsPage, consoleFiles],
  output: { file: 'dist/main.mjs', format: 'esm', codeSplitting: false, keepNames: true, sourcemap: true },
  onLog: silentOnOptionalPeers,
});
