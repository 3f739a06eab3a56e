import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const bundler =
  "import { build } from 'rolldown'; await build({ ...JSON.parse(process.argv[1]), onLog: () => undefined });";

/**
 * Bundles the program of a child process, for Node cannot run TypeScript with extensionless imports; in a process of its own, for
 * rolldown does not know Jest's realm.
 */
export async function bundle(input: string, file: string): Promise<void> {
  const output = { file, format: 'esm', codeSplitting: false, keepNames: true };
  const options = { input, platform: 'node', tsconfig: join(__dirname, '../../../../tsconfig.json'), output };
  const command = ['--input-type=module', '-e', bundler, JSON.stringify(options)];
  await promisify(execFile)(process.execPath, command, { cwd: __dirname });
}
