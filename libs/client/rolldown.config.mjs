import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { defineConfig } from 'rolldown';
import ts from 'typescript';

const source = join(import.meta.dirname, 'src');
const { name, version, license, dependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
);
const repository = 'https://github.com/opendsr/opendsr-service';
/** Our own packages are bundled; these are installed, or a later compatible version with its fixes. */
const installed = Object.fromEntries(
  Object.entries(dependencies)
    .filter(([dependency]) => !dependency.startsWith('@opendsr-service/'))
    .map(([dependency, tried]) => [dependency, `^${tried}`]),
);

const manifest = {
  name,
  version,
  description:
    'Verify OpenDSR and OpenGDPR callbacks, receive them in Fastify, Express, Nest or node:http, and call the DSR endpoints',
  keywords: ['opendsr', 'opengdpr', 'gdpr', 'ccpa', 'dsr', 'callback', 'signature'],
  license,
  homepage: `${repository}/tree/main/libs/client#readme`,
  repository: { type: 'git', url: `git+${repository}.git`, directory: 'libs/client' },
  bugs: `${repository}/issues`,
  type: 'module',
  engines: { node: '>=22.12' },
  exports: {
    '.': {
      import: { types: './types/index.d.ts', default: './index.js' },
      // Jest requires no ES module, unless Node runs with its experimental modules.
      require: { types: './types/index.d.cts', default: './index.cjs' },
    },
    './vectors/*': './vectors/*',
    './package.json': './package.json',
  },
  types: './types/index.d.ts',
  files: ['index.js', 'index.cjs', 'types', 'vectors'],
  dependencies: installed,
};

const specifier = /(from\s+["'])(\.{1,2}\/[^"']+)(["'])/g;

/** The declarations that index.ts needs, by path; isolated, as every export has a type. */
function declarations(file = 'index', found = new Map()) {
  if (found.has(file)) return found;
  const fileName = join(source, `${file}.ts`);
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
    fileName,
    reportDiagnostics: true,
    compilerOptions: {
      isolatedDeclarations: true,
      declaration: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
    },
  });
  const faults = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  if (/from\s+["'][^."']/.test(outputText)) faults.push('the types of the package lean on another package');
  if (faults.length > 0) throw new Error(`${fileName}: ${faults.join('; ')}`);
  found.set(file, outputText);
  for (const [, , path] of outputText.matchAll(specifier))
    declarations(relative(source, join(dirname(fileName), path)), found);
  return found;
}

/** The published package without its code. */
const published = {
  name: 'published-package',
  generateBundle({ format }) {
    if (format !== 'es') return;
    const emit = (fileName, text) => this.emitFile({ type: 'asset', fileName, source: text });
    const copy = (fileName, from) => emit(fileName, readFileSync(join(import.meta.dirname, from)));
    for (const [file, text] of declarations())
      for (const [declared, imported] of Object.entries({ 'd.ts': 'js', 'd.cts': 'cjs' }))
        emit(`types/${file}.${declared}`, text.replaceAll(specifier, `$1$2.${imported}$3`));
    const vectors = readdirSync(join(import.meta.dirname, 'vectors'), { recursive: true });
    for (const file of vectors.filter((name) => extname(name) !== '')) copy(`vectors/${file}`, `vectors/${file}`);
    copy('README.md', 'README.md');
    copy('LICENSE', '../../LICENSE');
    emit('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  },
};

const output = { dir: 'dist', codeSplitting: false, keepNames: true, strict: true };

/**
 * One file for `import` and one for `require`, each with its parts of contracts, signing and transparency, whose modules
 * have no side effects.
 */
export default defineConfig({
  cwd: import.meta.dirname,
  input: 'src/index.ts',
  platform: 'node',
  tsconfig: '../../tsconfig.json',
  external: Object.keys(installed),
  treeshake: {
    moduleSideEffects: [
      { test: /reflect-metadata/, sideEffects: true },
      { test: /./, sideEffects: false },
    ],
  },
  plugins: [published],
  output: [
    { ...output, format: 'esm', entryFileNames: 'index.js' },
    { ...output, format: 'cjs', entryFileNames: 'index.cjs' },
  ],
});
