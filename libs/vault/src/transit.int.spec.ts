import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyServiceContract, TRIED_KEYS } from './key-service.contract';
import { masterKeyId } from './master-key-id';
import { openKeyService } from './open-keys';
import { hasTransitServer, policyOfPage, startTransitServer, type TransitAccess } from './testing/transit-server';

// A transit engine that runs already, or that of a server of our own.
const { DSR_TEST_TRANSIT_URL: url, DSR_TEST_TRANSIT_TOKEN: token } = process.env;
const given = url && token ? { url, token } : undefined;
const isThere = given !== undefined || hasTransitServer();

if (!isThere)
  console.log('No server of Vault (tools/evidence/get-transit-server.sh): transit was tried on our own stub alone.');

(isThere ? describe : describe.skip)('the transit engine', () => {
  const masterKey = createSecretKey(randomBytes(32));
  let folder: string;
  let access: TransitAccess;
  let stop: (() => Promise<void>) | undefined;
  const optionsWith = (text: string, key: string) => {
    const tokenFile = join(folder, `token-${randomBytes(4).toString('hex')}`);
    writeFileSync(tokenFile, `${text}\n`);
    return { type: 'transit', url: access.url, tokenFile, mount: 'transit', key } as const;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'transit-'));
    if (given) access = given;
    else {
      const { server, ...own } = await startTransitServer(
        [
          ...Object.values(TRIED_KEYS).map((key) => policyOfPage(key)),
          policyOfPage('opendsr', masterKeyId(masterKey)),
        ].join(''),
      );
      [access, stop] = [own, () => server.stop()];
    }
  });
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith(access.token, key),
    refused: (key) => optionsWith('wrong', key),
    notSealed: 'vault:v1:AAAA',
  }));

  // The rights of a token that is given are its owner's affair.
  (given ? it.skip : it)('by the policy of the page keeps the secrets of an installation from all others', async () => {
    const service = await openKeyService(optionsWith(access.token, 'opendsr'));
    const own = service.generationsOf(masterKey);
    await own.create(2);
    expect((await own.read(2))?.export()).toHaveLength(32);
    await own.destroy(2);
    const other = service.generationsOf(createSecretKey(randomBytes(32)));
    for (const attempt of [() => other.read(2), () => other.create(2), () => other.destroy(2)])
      await expect(attempt()).rejects.toThrow('answers 403');
    const ofOthers = await openKeyService(optionsWith(access.token, 'other'));
    await expect(ofOthers.seal(Buffer.from('x'))).rejects.toThrow('answers 403');
  });
});
