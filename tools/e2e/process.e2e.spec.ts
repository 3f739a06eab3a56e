import { once } from 'node:events';
import { createServer } from 'node:net';
import { ChildService } from './child-service';
import { freePorts } from './free-ports';
import { spawnStandalone, startStandalone } from './standalone';

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

const apps = ['standalone', 'gateway', 'request', 'callback-dispatcher', 'ingestion', 'results'];
const spawnApp = (app: string, args: string[], env = {}) => ChildService.spawn({ name: app, args: [`apps/${app}/dist/main.mjs`, ...args], env });

/** What a process says on stderr when it cannot start, each line without its end. */
async function refusal(child: ChildService): Promise<{ code: number | null; lines: string[] }> {
  const code = await child.exit();
  return { code, lines: child.errorOutput.split('\n').filter((line) => line !== '') };
}

describe('a standalone process', () => {
  let running: Standalone;
  beforeAll(async () => {
    running = await startStandalone();
  });
  afterAll(() => running.stop());

  it('refuses a data folder that another one holds, in one line and with exit code 1', async () => {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const { code, lines } = await refusal(spawnStandalone({ ...running.env, PORT: String(port), ADMIN_PORT: String(adminPort) }));
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining(running.dataDir)] });
  });

  it.each(['PORT', 'ADMIN_PORT'])('refuses a %s that is taken, in one line and with exit code 1', async (setting) => {
    const [one = 0, port = 0, adminPort = 0] = await freePorts(3);
    const holder = createServer().listen(one, '127.0.0.1');
    await once(holder, 'listening');
    const env = { ...running.env, DATA_DIR: `${running.dataDir}/other-${setting}`, PORT: String(port), ADMIN_PORT: String(adminPort), [setting]: String(one) };
    const { code, lines } = await refusal(spawnStandalone(env));
    holder.close();
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining(`port ${String(one)}`)] });
  });

  it('ends with 0 on SIGINT and on SIGTERM, and begins again on what it left', async () => {
    const [first] = running.processes;
    expect(await first?.stop('SIGINT')).toBe(0);
    await running.restart();
    expect(await running.processes[1]?.stop('SIGTERM')).toBe(0);
  });
});

it.each(apps)('%s: --help names its settings and ends with 0; a bad setting is one line that does not repeat it, and ends with 1', async (app) => {
  const [help, bad, argument] = [spawnApp(app, ['--help']), spawnApp(app, [], { PORT: 'not-a-port' }), spawnApp(app, ['--unknown'])];
  expect(await help.exit()).toBe(0);
  expect(help.output).toContain('ADMIN_PORT');
  const { code, lines } = await refusal(bad);
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^[a-z-]+: PORT: /));
  expect(bad.output).not.toContain('not-a-port');
  expect((await refusal(argument)).code).toBe(1);
});

it('dsr: --help ends with 0, an unknown command with 2', async () => {
  const [help, unknown] = [spawnApp('cli', ['--help']), spawnApp('cli', ['no', 'such'])];
  expect(await help.exit()).toBe(0);
  expect(help.output).toContain('topics apply');
  expect((await refusal(unknown)).code).toBe(2);
});
