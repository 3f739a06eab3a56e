import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const repository = resolve(__dirname, '../..');
const configuration = [
  'package.json',
  'package-lock.json',
  'nx.json',
  'eslint.config.mjs',
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.folders.cjs',
  'tsconfig.base.json',
  'tsconfig.all.json',
  'tools/package.json',
  'tools/tsconfig.json',
  'tools/nx-targets.mjs',
  'tools/eslint/types.mjs',
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

  /** Lints as `npm test` does: through nx, because without nx's graph the rule about boundaries passes everything. */
  async lint(): Promise<Finding[]> {
    const output = await this.run('nx', [
      'run-many',
      '-t',
      'lint-all',
      '--skip-nx-cache',
      '--parallel=2',
      '--output-style=static',
      '--',
      '--format',
      'json',
    ]);
    const results = output
      .split('\n')
      .filter((line) => line.startsWith('[{"filePath"'))
      .flatMap((line) => JSON.parse(line) as EslintResult[]);
    return results.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => ({
        file: filePath.slice(this.root.length + 1),
        rule: ruleId ?? 'none',
        message,
      })),
    );
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
    return summary.violations.flatMap(({ from, to, rule }) => {
      const message = `${from} → ${to}`;
      // Where nothing leads to a file, the file that is wrong is the one at the far end.
      return { file: rule.name === 'no-dead-file' ? to : from, rule: rule.name, message };
    });
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private async copyProject(project: string): Promise<void> {
    const manifest = await readFile(join(repository, project, 'package.json'), 'utf8');
    await this.plant(join(project, 'package.json'), manifest);
    await this.plant(
      join(project, 'tsconfig.json'),
      await readFile(join(repository, project, 'tsconfig.json'), 'utf8'),
    );
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
    // The variables of the nx that runs this test name the real workspace.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('NX_') && name !== 'NODE_OPTIONS',
    );
    const env = {
      ...Object.fromEntries(inherited),
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      NX_TUI: 'false',
      FORCE_COLOR: '0',
    };
    return new Promise((done) => {
      execFile(join(bin, command), args, { cwd: this.root, env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
        done(stdout);
      });
    });
  }
}

interface EslintResult {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

async function children(kind: string): Promise<string[]> {
  const folders = await readdir(join(repository, kind), { withFileTypes: true });
  return folders.filter((folder) => folder.isDirectory()).map(({ name }) => join(kind, name));
}
