import { defineConfig } from 'rolldown';

/** One self-contained file per app. Optional peers that are not installed stay external and are never loaded. */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  tsconfig: 'tsconfig.json',
  output: { file: 'dist/main.mjs', format: 'esm', codeSplitting: false, keepNames: true, sourcemap: true },
  onLog: (level, log, next) => log.code === 'UNRESOLVED_IMPORT' || next(level, log),
});
