import { readFileSync } from 'node:fs';
import { constants, Script } from 'node:vm';

/** Where the code cache of a file of the bundle lies. */
export const cacheOf = (file) => `${file}.cache`;

/** A CommonJS file of the bundle, compiled; V8 takes no cache that another version or other flags made. `filename`: for stacks. */
export const compile = (file, cachedData, filename = file) =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`, {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
