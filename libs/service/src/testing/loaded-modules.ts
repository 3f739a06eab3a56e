import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = `
import { rolldown } from 'rolldown';
const build = await rolldown({ ...JSON.parse(process.argv[1]), onLog: () => undefined });
const { output } = await build.generate({ format: 'esm', dir: 'none' });
const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
const all = [...chunks.values()];
const atStart = new Set(all.filter(({ isEntry }) => isEntry));
for (const { imports } of atStart) for (const name of imports) if (chunks.has(name)) atStart.add(chunks.get(name));
const modulesOf = (some) => [...some].flatMap(({ modules }) => Object.keys(modules));
console.log(JSON.stringify({ atStart: modulesOf(atStart), later: modulesOf(all.filter((chunk) => !atStart.has(chunk))) }));
`;

/**
 * The files of a program that are loaded when it starts, and those that it loads later, if at all; found by a bundler,
 * in a process of its own, for it does not know Jest's realm.
 */
export async function loadedModules(
  program: string,
): Promise<{ readonly atStart: readonly string[]; readonly later: readonly string[] }> {
  const options = { input: program, platform: 'node', tsconfig: join(__dirname, '../../../../tsconfig.json') };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(options)],
    { cwd: __dirname, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as { atStart: string[]; later: string[] };
}
