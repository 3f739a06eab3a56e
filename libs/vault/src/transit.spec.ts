import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generationNames } from './key-service';
import { keyServiceContract } from './key-service.contract';
import { TransitStub } from './testing/transit-stub';
import { TransitService } from './transit.client';

describe('the transit engine', () => {
  let folder: string;
  let stub: TransitStub;
  const optionsWith = (file: string, key: string) =>
    ({ type: 'transit', url: stub.url, tokenFile: join(folder, file), mount: stub.mount, key }) as const;
  const masterKey = createSecretKey(randomBytes(32));
  const generationsOf = (key: string) => new TransitService(optionsWith('token', key)).generationsOf(masterKey);
  const nameOf = (key: string, generation: number) => `${generationNames(key, masterKey)}-${generation}`;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'transit-'));
    stub = await TransitStub.start();
    writeFileSync(join(folder, 'token'), `${stub.token}\n`);
    writeFileSync(join(folder, 'wrong'), 'wrong\n');
  });
  afterEach(() => {
    stub.refuse = () => undefined;
  });
  afterAll(() => {
    stub.stop();
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith('token', key),
    refused: (key) => optionsWith('wrong', key),
    notSealed: 'vault:v1:AAAA',
  }));

  it('has the secret of a generation also after an administrator has rotated its key', async () => {
    const generations = generationsOf('rotated');
    await generations.create(2);
    const before = (await generations.read(2))?.export();
    stub.rotate(nameOf('rotated', 2));
    expect((await generations.read(2))?.export()).toEqual(before);
  });

  it('calls a generation destroyed only when its key is gone', async () => {
    const [generations, name] = [generationsOf('gone'), nameOf('gone', 2)];
    await generations.create(2);
    for (const [path, status, why] of [
      [`keys/${name}/config`, 403, 'answers 403'],
      [`keys/${name}`, 400, 'answers 400'],
      [`keys/${name}`, 204, `has not deleted ${name}`],
    ] as const) {
      stub.refuse = (method, asked) => (method !== 'GET' && asked === path ? status : undefined);
      await expect(generations.destroy(2)).rejects.toThrow(why);
      expect(await generations.read(2)).toBeDefined();
    }
    stub.refuse = () => undefined;
    await generations.destroy(2);
    expect(stub.keys.has(name)).toBe(false);
  });
});

describe('the client of the transit engine', () => {
  let folder: string;
  let server: Server;
  let answer: { status: number; body: string; breaks?: boolean } = { status: 200, body: '' };
  const seen: { token: unknown; path: unknown }[] = [];
  const service = () =>
    new TransitService({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tokenFile: join(folder, 'token'),
      mount: 'team/transit',
      key: 'opendsr',
    });
  const generations = () => service().generationsOf(createSecretKey(randomBytes(32)));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'transit-'));
    writeFileSync(join(folder, 'token'), 'first\n');
    server = createServer((request, response) => {
      seen.push({ token: request.headers['x-vault-token'], path: request.url });
      response.writeHead(answer.status);
      if (answer.breaks) response.write(answer.body, () => response.destroy());
      else response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('reads the token at each call, so that it may be renewed', async () => {
    answer = { status: 200, body: JSON.stringify({ data: { plaintext: 'eA==' } }) };
    const transit = service();
    await transit.unseal('vault:v1:x');
    writeFileSync(join(folder, 'token'), 'second');
    expect((await transit.unseal('vault:v1:x')).toString()).toBe('x');
    expect(seen.splice(0)).toEqual(
      ['first', 'second'].map((token) => ({ token, path: '/v1/team/transit/decrypt/opendsr' })),
    );
  });

  it.each([
    [503, 'KeyServiceAway'],
    [429, 'KeyServiceAway'],
    [400, 'VaultError'],
    [403, 'VaultError'],
    [404, 'VaultError'],
  ])('distinguishes an outage from a refusal, and repeats nothing of an answer: %i', async (status, name) => {
    answer = { status, body: JSON.stringify({ errors: ['planted-secret'] }) };
    const error: unknown = await service()
      .unseal('vault:v1:planted-secret')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name });
    expect(JSON.stringify([error, String(error), (error as Error).message])).not.toContain('planted');
  });

  it('takes nothing but a missing key for a generation that does not exist', async () => {
    answer = { status: 404, body: JSON.stringify({ errors: [] }) };
    expect(await generations().read(2)).toBeUndefined();
    await generations().destroy(2);
    for (const status of [400, 403, 500]) {
      answer = { status, body: '' };
      await expect(generations().read(2)).rejects.toThrow(`answers ${status}`);
    }
  });

  it.each([
    [
      'another mount',
      JSON.stringify({ errors: ['no handler for route "team/transit/keys/x". route entry not found.'] }),
    ],
    ['no server of this kind', ''],
    ['another server', JSON.stringify({ data: {} })],
  ])('takes 404 of %s for a refusal, and for no destroyed generation', async (_title, body) => {
    answer = { status: 404, body };
    await expect(generations().read(2)).rejects.toThrow('answers 404');
    await expect(generations().destroy(2)).rejects.toThrow('answers 404');
  });

  it('takes no other answer for a secret', async () => {
    answer = { status: 200, body: 'no JSON' };
    await expect(generations().read(2)).rejects.toThrow('no JSON');
    answer = { status: 200, body: JSON.stringify({ data: { hmac: 'vault:v1:eA==' } }) };
    await expect(generations().read(2)).rejects.toThrow('no HMAC');
  });

  it('takes a connection that breaks within an answer for a service that is away', async () => {
    answer = { status: 200, body: '{', breaks: true };
    await expect(service().unseal('vault:v1:x')).rejects.toMatchObject({ name: 'KeyServiceAway' });
  });

  it('says that the service is away, with the reason in its cause', async () => {
    const away = new TransitService({
      url: 'http://127.0.0.1:1',
      tokenFile: join(folder, 'token'),
      mount: 'transit',
      key: 'opendsr',
    });
    await expect(away.unseal('vault:v1:x')).rejects.toMatchObject({
      name: 'KeyServiceAway',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
