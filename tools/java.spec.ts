import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spareJava } from './java';

let folder: string;
const started = () => readFile(join(folder, 'started'), 'utf8').then((text) => text.length);

/** A broker that leaves the archive it is asked for, as a JVM does, or ends before it is ready. */
const broker = (leaves: boolean) => `#!/usr/bin/env node
  const { appendFileSync, writeFileSync } = require('node:fs');
  appendFileSync(${JSON.stringify(join(folder, 'started'))}, '.');
  if (!${String(leaves)}) process.exit(3);
  const [, archive] = /ArchiveClassesAtExit=(\\S+)/.exec(process.env.JAVA_TOOL_OPTIONS);
  process.on('SIGTERM', () => { writeFileSync(archive, 'classes'); process.exit(0); });
  setInterval(() => {}, 1000);
  console.log('{"ready":true}');
`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-java-'));
  await mkdir(join(folder, 'kafka'));
});
afterEach(() => rm(folder, { recursive: true }));

const cache = () => join(folder, 'cache');
const startKafka = (leaves: boolean) => writeFile(join(folder, 'start-kafka'), broker(leaves), { mode: 0o755 });

async function optionsOfRun(): Promise<string> {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH };
  await spareJava(folder, env, cache());
  return env.JAVA_TOOL_OPTIONS ?? '';
}

it('hands out the archive of the classes of a broker, which it makes once for the same files', async () => {
  await startKafka(true);
  const options = await optionsOfRun();
  const [, archive = ''] = /^-XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=(\S+) /.exec(options) ?? [];
  expect(await readFile(archive, 'utf8')).toBe('classes');
  expect([await optionsOfRun(), await started(), await readdir(cache())]).toEqual([options, 1, [expect.any(String)]]);
  await writeFile(join(folder, 'kafka', 'a.jar'), 'new');
  expect([(await optionsOfRun()) === options, await started()]).toEqual([false, 2]);
});

it('does without an archive where none can be made', async () => {
  await startKafka(false);
  expect(await optionsOfRun()).toBe('-XX:TieredStopAtLevel=1');
  expect(await readdir(cache())).toEqual([]);
});

it('leaves options that are set', async () => {
  const env = { JAVA_TOOL_OPTIONS: '-Xmx1g' };
  await spareJava(folder, env, cache());
  expect(env).toEqual({ JAVA_TOOL_OPTIONS: '-Xmx1g' });
});
