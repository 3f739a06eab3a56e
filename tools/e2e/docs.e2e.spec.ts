import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './repository';
import { startStandalone } from './standalone';

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

/** Says the status of each call on stderr, beside whatever the line itself does with the answer. */
const statusTeller = `curl() { command curl -sS -w '%{stderr}status %{http_code}\\n' "$@"; }`;

/** The shell blocks of a page, in their order: one script, as a reader would type it. */
const scriptOf = (page: string): string => [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');

/** What the comments behind its calls promise: `# 201`, or several where calls are nested. */
const promisedIn = (script: string): string[] => [...script.matchAll(/# (\d{3}(?: \d{3})*)\b/g)].flatMap(([, codes = '']) => codes.split(' '));

/** The status of every call of a script, up to the line that failed, if any did. */
async function statusesOf(script: string): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'opendsr-docs-'));
  const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${statusTeller}\n${script}`], { cwd });
  const { stderr, code } = await run.then((done) => ({ ...done, code: 0 }), (failed: { stderr: string; code: number }) => failed);
  await rm(cwd, { recursive: true });
  const statuses = [...stderr.matchAll(/^status (\d{3})$/gm)].map(([, status = '']) => status);
  return code === 0 ? statuses : [...statuses, `exit code ${String(code)}`];
}

const needed = ['bash', 'curl', 'openssl'];
const missing = needed.filter((tool) => spawnSync(tool, ['--version']).error);
if (missing.length > 0) console.log(`No ${missing.join(', ')}: the lines of the docs did not run.`);
const required = process.env.DSR_REQUIRE_SERVERS === '1';

(missing.length > 0 && !required ? describe.skip : describe)('the lines in the docs', () => {
  let running: Standalone;
  beforeAll(async () => {
    running = await startStandalone();
  });
  afterAll(() => running.stop());

  it.each(['docs/http-api.md', 'docs/workspaces.md', 'README.md'])('%s: every call answers as its comment says', async (file) => {
    const script = scriptOf(await readFile(repository(file), 'utf8'))
      .replaceAll('http://localhost:8080', running.baseUrls[0] ?? '')
      .replaceAll('node apps/cli/', `${repository('node_modules/.bin/node')} ${repository('apps/cli/')}`)
      .replaceAll('DATA_DIR=data', `DATA_DIR=${running.dataDir}`)
      .replaceAll('<key>:<secret>', `${running.key}:${running.secret}`);
    const promised = promisedIn(script);
    expect(promised.length).toBeGreaterThan(3);
    expect(await statusesOf(script)).toEqual(promised);
  });
});
