import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../../e2e/repository';
import { nameOf, type Manifest } from '../manifest';
import { knownKind } from './known-kinds';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/**
 * One statement for each object, so that a place in the text leads back to it. The compiler refuses fields that a
 * literal's type does not have.
 */
function statementOf(object: Manifest, index: number): string {
  const known = knownKind(object);
  if (!known) return '';
  const type = `Type${index}`;
  const value = JSON.stringify(object, null, 1);
  return `import type { I${object.kind} as ${type} } from '${known.types}';\nexport const object${index}: ${type} = ${value};\n`;
}

/** A program of one virtual file; all other files come from the disk. */
function programOf(text: string): { readonly program: ts.Program; readonly source: ts.SourceFile } {
  // From this path the packages of the types resolve.
  const file = join(repository(), 'tools', 'chart', 'schema', 'rendered-objects.ts');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const host = ts.createCompilerHost(options);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => (name === file ? source : fromDisk(name, ...rest));
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  return { program: ts.createProgram([file], options, host), source };
}

/** The type faults of objects, mainly unknown fields. Ignores objects of unknown kinds. */
export function typeFaults(objects: readonly Manifest[]): string[] {
  const statements = objects.map(statementOf);
  const ends = statements.reduce<number[]>((sums, text) => [...sums, (sums.at(-1) ?? 0) + text.length], []);
  const { program, source } = programOf(statements.join(''));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  return diagnostics.map(({ start = 0, messageText }) => {
    const object = objects[ends.findIndex((end) => start < end)];
    return `${object ? nameOf(object) : 'the types'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
