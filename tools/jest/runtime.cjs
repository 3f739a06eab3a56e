// Jest's module loader, but it loads packages once for each process instead of once for each spec file: Nest and
// similar packages took 60 % of a unit suite. It still loads specs and our own sources for each file, so that a file
// has its own module state. They run in the realm of the process, like the packages, so that `instanceof` holds between
// them.
const { createRequire, isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const packages = `${sep}node_modules${sep}`;
/** We patch it (patchKafkajs): each file has its own, as no other file's patches may be in it. */
const patched = `${packages}kafkajs${sep}`;
const parameters = ['module', 'exports', 'require', '__dirname', '__filename', 'jest'];

/** Of all spec files of this process. Files do not change during a run. */
const resolved = new Map();
const transformed = new Map();
const compiled = new Map();

function once(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (file, options) => {
      const { code, sourceMap } = once(transformed, file, () => ({
        code: transform(file, options),
        sourceMap: transformCache.sourceMaps.get(file),
      }));
      if (sourceMap) transformCache.sourceMaps.set(file, sourceMap);
      return code;
    };
    this.executor.compile = (code, filename) =>
      once(compiled, filename, () => compileFunction(code, parameters, { filename }));
  }

  requireModuleOrMock(from, name) {
    const key = [...this._environment.exportConditions(), from, name].join('\0');
    const target = once(resolved, key, () => (isBuiltin(name) ? name : this._resolution.resolveCjs(from, name)));
    if (isBuiltin(target)) return require(target);
    const isShared = target.includes(packages) && !target.includes(patched);
    return isShared ? require(target) : this.requireModule(from, name);
  }

  /**
   * The parts of Jest that run beside the specs. jest-circus keeps the tests of a file in its module, so it is loaded
   * for each file.
   */
  requireInternalModule(from, to) {
    if (to === undefined && from.includes('jest-circus')) {
      delete require.cache[from];
      delete globalThis[Symbol.for('EVENT_HANDLERS')];
    }
    return to === undefined ? require(from) : createRequire(from)(to);
  }

  /** The process is the real one, and so are its modules. */
  installGetBuiltinModule() {}
}

module.exports = SharedPackagesRuntime;
module.exports.default = SharedPackagesRuntime;
