#!/usr/bin/env node
// `npx dsr …` in the repository: builds the tool (cached by nx) and becomes it. Plain JavaScript without dependencies, for it may be
// started by the Node that the user has; the tool itself runs on the one that is installed with the packages.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const self = fileURLToPath(import.meta.url);
const app = dirname(self);
const root = dirname(dirname(app));
const bin = join(root, 'node_modules/.bin');

/** The same call on the right Node; its exit code is ours. */
function onNode24() {
  const { status } = spawnSync(join(bin, 'node'), [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

/** Nothing of the build comes to stdout, which may be read by a machine. */
function build() {
  const env = { ...process.env, NX_TUI: 'false', PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(join(bin, 'nx'), ['run', '@opendsr-service/cli:build'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (status !== 0)
    process.stderr.write(
      `${stdout ?? ''}${stderr ?? ''}\ndsr: the tool could not be built; what went wrong is above. Are the packages installed (npm ci)?\n`,
    );
  return status === 0;
}

if (Number(process.versions.node.split('.')[0]) < 24) onNode24();
else if (build()) {
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(app, 'dist/main.mjs')).href);
} else process.exitCode = 1;
