// `npm run images`: builds the image, runs it as a cluster would, and says what it weighs and how fast it starts. Needs Docker or Podman.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Checks } from '../demo/checks';
import { optionsFrom } from '../test/phases';
import { startServers } from '../servers';
import { buildImage, contentsOf, idOf, listingOf, revisionOf, sizeMb } from './build';
import { engineName } from './engine';
import { runOnce } from './container';
import { runFiveApps, type AppRun } from './five-apps';
import { runStandalone, type Run } from './standalone';

const usage = `npm run images -- [--local] [--once] [--tag NAME]
  --local   on stand-ins of the base images, made from Debian's packages (tools/images/base.sh), where nothing can be pulled
  --built   proves the image that is there, without building it
  --once    without the second build, which shows that the same commit gives the same files
  --tag     default: opendsr-service:local
The five apps run too where DSR_TEST_SERVERS, or the addresses of both servers, say with what.`;

const mostMb = 300;
const mostStartMs = 2_000;
const starts = 3;

const checks = new Checks(console.log);

function checkProcess(app: string, { user, group, capabilities, mayGainRights, exitCode, complaint }: Run): void {
  checks.check(
    `${app} runs on a read-only root as user ${user}, group ${group}, without a capability`,
    user === '65532' && group === '65532' && capabilities === 0n && !mayGainRights,
  );
  checks.check(
    `${app} ends with 0 on SIGTERM as the first process of its container, without a word on standard error`,
    exitCode === 0 && complaint === '',
  );
}

async function checkFiles(image: string): Promise<void> {
  checks.step('What is in it');
  const size = await sizeMb(image);
  checks.check(`the image has ${size.toFixed(0)} MB, at most ${String(mostMb)}`, size < mostMb);
  const { shells, setuid, writable } = await listingOf(image);
  checks.check('it holds no shell and no package manager', shells);
  checks.check('no program in it runs with the rights of its owner', setuid);
  checks.check('Node and the files of the apps belong to root and are read-only for all others', writable);
}

async function checkCommands(image: string): Promise<void> {
  checks.step('What its command names');
  const shell = await runOnce({ image, args: ['-c', 'true'], options: ['--entrypoint', '/bin/sh'] });
  checks.check('a shell cannot be started', shell.code === 127);
  const help = await runOnce({ image, args: ['dsr', '--help'] });
  checks.check(
    'dsr --help prints the commands, and nothing else',
    help.code === 0 && help.output.includes('topics apply') && help.errorOutput === '',
  );
  const unknown = await runOnce({ image, args: ['planted'] });
  checks.check(
    'an app that is not there is one line and exit code 1',
    unknown.code === 1 && /^opendsr: .*standalone.*\n$/.test(unknown.errorOutput) && unknown.output === '',
  );
}

async function checkStandalone(image: string): Promise<void> {
  checks.step(`The standalone app on a new volume, best of ${String(starts)}`);
  const runs: Run[] = [];
  for (let n = 0; n < starts; n++) runs.push(await runStandalone(image, n === starts - 1));
  const times = runs.map(({ startMs }) => startMs);
  const last = runs.at(-1);
  if (last) checkProcess('standalone', last);
  checks.check(
    `it listens ${String(Math.min(...times))} ms after its process began (${times.join(', ')}), at most ${String(mostStartMs)}`,
    Math.min(...times) < mostStartMs,
  );
  const cpu = runs.map(({ cpuSeconds }) => cpuSeconds);
  checks.note(
    `${Math.min(...cpu).toFixed(2)} s of CPU from exec until it is ready (${cpu.map((seconds) => seconds.toFixed(2)).join(', ')})`,
  );
  checks.note(`${String(last?.memoryMiB)} MiB at rest`);
}

async function checkFiveApps(image: string): Promise<void> {
  checks.step('The five apps on real servers');
  const servers = await startServers({ ...process.env, DSR_TEST_SERVERS: optionsFrom(process.env).serversFolder });
  if (!servers) {
    checks.note('No real servers: not run');
    return;
  }
  try {
    const runs: AppRun[] = await runFiveApps(image, servers);
    for (const run of runs) checkProcess(run.app, run);
    for (const { app, startMs, cpuSeconds, memoryMiB } of runs)
      checks.note(
        `${app}: ${String(startMs)} ms to listen, ${cpuSeconds.toFixed(2)} s of CPU until ready, ${String(memoryMiB)} MiB at rest`,
      );
  } finally {
    await servers.stop();
  }
}

async function checkAgain(image: string, local: boolean): Promise<void> {
  checks.step('A second build that uses nothing of the first');
  const [first, firstId] = [await contentsOf(image), await idOf(image)];
  await buildImage({ tag: image, local, noCache: true });
  const [second, secondId] = [await contentsOf(image), await idOf(image)];
  checks.check(`gives the same files (${first.slice(0, 12)}, ${second.slice(0, 12)})`, first === second);
  const digests = `(${firstId.slice(0, 12)}, ${secondId.slice(0, 12)})`;
  // Docker's builder gives an image and its folders the time of the build.
  if ((await engineName()) === 'podman') checks.check(`gives the same digest ${digests}`, firstId === secondId);
}

interface Options {
  readonly local: boolean;
  readonly built: boolean;
  readonly once: boolean;
}

async function main(image: string, { local, built, once }: Options): Promise<void> {
  if (!built) await buildImage({ tag: image, local });
  console.log(
    `${image}, built from ${await revisionOf(image)}; ${String(cpus().length)} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  await checkFiles(image);
  await checkCommands(image);
  await checkStandalone(image);
  await checkFiveApps(image);
  if (!once && !built) await checkAgain(image, local);
  process.exitCode = checks.end();
}

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    local: flag,
    built: flag,
    once: flag,
    tag: { type: 'string', default: 'opendsr-service:local' },
    help: flag,
  },
});
if (values.help) console.log(usage);
else await main(values.tag, values);
