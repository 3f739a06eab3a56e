import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const repository = resolve(__dirname, '../..');
const configuration = [
  'package.json',
  'package-lock.json',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.folders.cjs',
  'tsconfig.json',
  'tools/package.json',
  'tools/oxlint/rules.mjs',
];

/** A finding of a tool about a file of the workspace. */
export interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

/**
 * A copy of this workspace with its real configuration and projects, whose sources are one empty face for each project: files that
 * break a rule can be planted in it without disturbing the checkout or what else is wrong in it.
 */
export class PlantedWorkspace {
  private constructor(private readonly root: string) {}

  static async create(): Promise<PlantedWorkspace> {
    const workspace = new PlantedWorkspace(await mkdtemp(join(tmpdir(), 'opendsr-planted-')));
    await Promise.all(configuration.map((file) => cp(join(repository, file), join(workspace.root, file))));
    const projects = (await Promise.all(['apps', 'libs'].map((kind) => children(kind)))).flat();
    await Promise.all(projects.map((project) => workspace.copyProject(project)));
    await workspace.linkPackages([...projects, 'tools']);
    return workspace;
  }

  async plant(file: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.root, file)), { recursive: true });
    await writeFile(join(this.root, file), content);
  }

  /** The rules and the types, as the lint target of tools checks them. */
  async lint(): Promise<Finding[]> {
    const output = await this.run('oxlint', ['--format', 'json', 'apps', 'libs', 'tools']);
    const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
    return diagnostics.map(({ filename, code, message }) => ({ file: filename, rule: ruleOf(code, message), message }));
  }

  /** The rules about imports, as the imports target of tools checks them. */
  async checkImports(): Promise<Finding[]> {
    return [
      ...(await this.cruise('.dependency-cruiser.cjs', ['apps', 'libs', 'tools'])),
      ...(await this.cruise('.dependency-cruiser.folders.cjs', ['apps', 'libs'])),
    ];
  }

  private async cruise(config: string, folders: readonly string[]): Promise<Finding[]> {
    const output = await this.run('depcruise', ['--config', config, '--output-type', 'json', ...folders]);
    const { summary } = JSON.parse(output) as {
      summary: { violations: { from: string; to: string; rule: { name: string } }[] };
    };
    return summary.violations.map(({ from, to, rule }) => ({
      file: from,
      rule: rule.name,
      message: `${from} → ${to}`,
    }));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private async copyProject(project: string): Promise<void> {
    const manifest = await readFile(join(repository, project, 'package.json'), 'utf8');
    await this.plant(join(project, 'package.json'), manifest);
    const { exports: faces = {} } = JSON.parse(manifest) as { exports?: string | Record<string, string> };
    const files = typeof faces === 'string' ? [faces] : Object.values(faces);
    await Promise.all(
      [...files, ...(project.startsWith('apps/') ? ['src/main.ts'] : [])].map((file) =>
        this.plant(join(project, file), 'export const face = true;\n'),
      ),
    );
  }

  /** Every package by a link to the real one, but ours by links to the copies. */
  private async linkPackages(projects: readonly string[]): Promise<void> {
    const modules = join(this.root, 'node_modules');
    const ours = join(modules, '@opendsr-service');
    await mkdir(ours, { recursive: true });
    const packages = (await readdir(join(repository, 'node_modules'))).filter(
      (name) => !['@opendsr-service', '.cache'].includes(name),
    );
    await Promise.all(packages.map((name) => symlink(join(repository, 'node_modules', name), join(modules, name))));
    await Promise.all(
      projects.map((project) => symlink(join(this.root, project), join(ours, project.split('/').pop() ?? project))),
    );
  }

  /** A tool that finds something ends with an error; what it found stands in its output. */
  private run(command: string, args: readonly string[]): Promise<string> {
    const bin = join(repository, 'node_modules/.bin');
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const env = { ...inherited, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, FORCE_COLOR: '0' };
    return new Promise((done) => {
      execFile(join(bin, command), args, { cwd: this.root, env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
        done(stdout);
      });
    });
  }
}

interface Diagnostic {
  readonly filename: string;
  /** `typescript(no-explicit-any)`; of an error in a rule of our own there is none. */
  readonly code?: string;
  readonly message: string;
}

/** The name of the rule as the configuration has it; `typescript/TS2322` is an error of the compiler. */
function ruleOf(code: string | undefined, message: string): string {
  const [, plugin, rule] = /^(.+)\((.+)\)$/.exec(code ?? '') ?? /\((own)\/(.+)\)/.exec(message) ?? [];
  if (!plugin || !rule) return 'none';
  return plugin === 'eslint' ? rule : `${plugin}/${rule}`;
}

async function children(kind: string): Promise<string[]> {
  const folders = await readdir(join(repository, kind), { withFileTypes: true });
  return folders.filter((folder) => folder.isDirectory()).map(({ name }) => join(kind, name));
}
