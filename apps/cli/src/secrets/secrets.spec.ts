import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { representative } from '@opendsr-service/storage/testing';
import { generationNames, loadMasterKey } from '@opendsr-service/vault';
import { say as sayTo } from '../testing/say';
import { World } from '../testing/world';
import { kubectlLines } from './kubectl-lines';
import { secretsMake } from './secrets-make.command';
import { secretsSeal } from './secrets-seal.command';
import { workspacesSandbox } from './workspaces-sandbox.command';

const commands = [secretsMake, workspacesSandbox];
const say = (line: string, env: Readonly<Record<string, string>> = {}) => sayTo(line, { commands, env });
let folder: string;
const file = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(file(name), 'utf8');
const modeOf = (name: string) => statSync(file(name)).mode & 0o777;
const filesIn = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('dsr secrets make', () => {
  it('makes a master key and a token for their owner alone, says how Kubernetes gets them, and shows neither', async () => {
    const { code, out, err } = await say(`secrets make --dir ${folder}/new`);
    expect([code, err]).toEqual([0, []]);
    expect(out.slice(0, 3)).toEqual([
      `made  ${file('new/keys/master.key')}`,
      `made  ${file('new/keys/internal.token')}`,
      `made  ${file('new/keys/transparency.key')}`,
    ]);
    expect(out).toContain(
      `  kubectl create secret generic opendsr-master-key --from-file=key=${file('new/keys/master.key')}`,
    );
    expect(['new', 'new/keys', 'new/keys/master.key', 'new/keys/internal.token'].map(modeOf)).toEqual([
      0o700, 0o700, 0o600, 0o600,
    ]);
    expect(text('new/keys/internal.token')).toMatch(/^[\w-]{43}\n$/);
    expect(text('new/keys/transparency.key')).toMatch(/^PRIVATE\+KEY\+opendsr\.localhost\/transparency\+/);
    for (const name of ['master.key', 'internal.token', 'transparency.key'])
      expect(out.join('\n')).not.toContain(text(`new/keys/${name}`).trim());
    expect(filesIn()).toHaveLength(3);
  });

  it('makes for a trial what the standalone sandbox has in its folder, for the domains that are configured', async () => {
    const { code, out } = await say(`secrets make --dir ${folder} --sandbox`, {
      PROCESSOR_DOMAIN_V2: 'opendsr.acme.test',
    });
    expect(code).toBe(0);
    const leaf = (name: string) => new X509Certificate(text(`certificates/${name}.pem`)).subject;
    expect([leaf('v2'), leaf('v1'), leaf('receiver')]).toEqual([
      'CN=opendsr.acme.test',
      'CN=opengdpr.localhost',
      'CN=localhost',
    ]);
    const { key, secret } = JSON.parse(text('sandbox-credentials.json')) as { key: string; secret: string };
    expect([key, secret]).toEqual([expect.stringMatching(/^dsrk_/), expect.stringMatching(/^dsrs_/)]);
    expect(out.join('\n')).not.toContain(secret);
    expect(
      ['sandbox-credentials.json', 'certificates', 'certificates/v2.key', 'certificates/authority.key'].map(modeOf),
    ).toEqual([0o600, 0o700, 0o600, 0o600]);
    expect(out).toContain(
      `  kubectl create secret tls opendsr-signing-v2 --key=${file('certificates/v2.key')} --cert=${file('certificates/v2.pem')}`,
    );
  });

  it('prints lines for a namespace, with the folder as the machine of kubectl names it', async () => {
    const { out } = await say(`secrets make --dir ${folder} --sandbox --namespace privacy --shown-as ./secrets`);
    expect(out.filter((line) => line.includes('kubectl'))).toEqual(
      [
        'generic opendsr-master-key --from-file=key=secrets/keys/master.key',
        'generic opendsr-internal-token --from-file=token=secrets/keys/internal.token',
        'generic opendsr-transparency-key --from-file=key=secrets/keys/transparency.key',
        'tls opendsr-signing-v2 --key=secrets/certificates/v2.key --cert=secrets/certificates/v2.pem',
        'tls opendsr-signing-v1 --key=secrets/certificates/v1.key --cert=secrets/certificates/v1.pem',
      ].map((line) => `  kubectl -n privacy create secret ${line}`),
    );
  });

  it('changes nothing of what is there', async () => {
    await say(`secrets make --dir ${folder} --sandbox`);
    const before = filesIn().map((name) => readFileSync(name, 'utf8'));
    const { code, out } = await say(`secrets make --dir ${folder} --sandbox`);
    expect(code).toBe(0);
    expect(out.slice(0, 4)).toEqual(
      ['keys/master.key', 'keys/internal.token', 'keys/transparency.key', 'sandbox-credentials.json'].map(
        (name) => `kept  ${file(name)}`,
      ),
    );
    expect(filesIn().map((name) => readFileSync(name, 'utf8'))).toEqual(before);
  });

  it.each(
    representative(
      [
        ['keys/master.key', /master key file .*master\.key does not hold a key/],
        ['keys/transparency.key', /log key file .*transparency\.key does not hold a key/],
        ['keys/internal.token', /internal\.token must hold one word/],
        ['sandbox-credentials.json', /sandbox-credentials\.json does not hold the key and the secret/],
      ] as const,
      4,
    ),
  )(
    'refuses a %s that is not fit, with one line that holds nothing of it, and leaves it as it is',
    async (name, why) => {
      await say(`secrets make --dir ${folder} --sandbox`);
      writeFileSync(file(name), 'planted');
      const { code, err } = await say(`secrets make --dir ${folder} --sandbox`);
      expect({ code, err }).toEqual({ code: 1, err: [expect.stringMatching(why)] });
      expect([err.join().includes('planted'), text(name)]).toEqual([false, 'planted']);
    },
  );

  it('quotes a folder whose name a shell would take apart', () => {
    const dir = "/o'brien dir";
    expect(kubectlLines({ dir, shownAs: dir, namespace: undefined }, undefined)[0]).toBe(
      String.raw`kubectl create secret generic opendsr-master-key --from-file='key=/o'\''brien dir/keys/master.key'`,
    );
  });
});

describe('dsr secrets seal', () => {
  it('writes what the key service has sealed, for its owner alone, and overwrites nothing', async () => {
    const server = createServer((request, response) => {
      response.end(request.url?.includes('/encrypt/') ? '{"data":{"ciphertext":"vault:v1:sealed"}}' : '');
    });
    await new Promise<void>((resolve) => server.unref().listen(0, '127.0.0.1', resolve));
    await say(`secrets make --dir ${folder}`);
    writeFileSync(file('token'), 'planted-token');
    const { port } = server.address() as AddressInfo;
    const env = {
      KEY_SERVICE: 'transit',
      KEY_SERVICE_URL: `http://127.0.0.1:${port}`,
      KEY_SERVICE_TOKEN_FILE: file('token'),
    };
    const line = `secrets seal --master-key ${file('keys/master.key')} --out ${file('sealed')}`;
    const sayWith = (settings: Readonly<Record<string, string>>) =>
      sayTo(line, { commands: [secretsSeal], env: settings });
    const { code, out } = await sayWith(env);
    expect([code, text('sealed'), modeOf('sealed')]).toEqual([0, 'vault:v1:sealed\n', 0o600]);
    expect(out.join('\n')).not.toContain(text('keys/master.key').trim());
    const names = generationNames('opendsr', await loadMasterKey(file('keys/master.key')));
    expect(out.join('\n')).toContain(`begin with ${names}-: `);
    expect(await sayWith(env)).toMatchObject({ code: 1 });
    rmSync(file('sealed'));
    const elsewhere = { ...env, KEY_SERVICE_URL: `http://0.0.0.0:${port}` };
    expect((await sayWith(elsewhere)).err).toEqual(['KEY_SERVICE_URL: must be an https address']);
    expect((await sayWith({ ...elsewhere, TIMING_PROFILE: 'sandbox' })).code).toBe(0);
    server.close();
    expect(await sayWith({})).toEqual({ code: 1, out: [], err: ['KEY_SERVICE: must name a key service, not file'] });
  });
});

describe('dsr workspaces sandbox', () => {
  it('makes a workspace that the credentials in the file open, however often', async () => {
    const world = await World.open({ topics: [] });
    try {
      await say(`secrets make --dir ${folder} --sandbox`);
      const { key, secret } = JSON.parse(text('sandbox-credentials.json')) as { key: string; secret: string };
      const line = `workspaces sandbox --credentials ${file('sandbox-credentials.json')}`;
      const said = [await world.say(commands, line), await world.say(commands, line)];
      expect(said).toEqual(
        Array(2).fill({ code: 0, out: [`the workspace sandbox can be used with the key ${key}`], err: [] }),
      );
      expect(await world.services.workspaces.authenticate(key, secret, 'dsr')).toMatchObject({
        ws: 'sandbox',
        controllerId: 'sandbox',
      });
    } finally {
      await world.close();
    }
  });

  it('opens no store in production, and makes nothing', async () => {
    const { code, out } = await say(`workspaces sandbox --credentials ${file('absent.json')}`, {
      DATA_DIR: folder,
      TIMING_PROFILE: 'production',
    });
    expect({ code, out }).toEqual({
      code: 0,
      out: [expect.stringContaining('the production profile has no sandbox workspace')],
    });
    expect(filesIn()).toEqual([]);
  });

  it('says that the file holds no credentials, and nothing of what it holds', async () => {
    writeFileSync(file('c.json'), '"planted"');
    expect(await say(`workspaces sandbox --credentials ${file('c.json')}`)).toEqual({
      code: 1,
      out: [],
      err: [`${file('c.json')} does not hold the key and the secret of a sandbox workspace`],
    });
  });
});
