import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsKmsService } from './aws-kms.client';
import { generationNames } from './key-service';
import { keyServiceContract } from './key-service.contract';
import { masterKeyId } from './master-key-id';
import { awsCredentials } from './testing/aws-credentials';
import { KmsStub } from './testing/kms-stub';

describe('the client of AWS KMS', () => {
  let folder: string;
  let kms: KmsStub;
  const optionsWith = (file = 'credentials', key = 'opendsr') =>
    ({ type: 'aws-kms', region: 'eu-west-1', url: kms.url, credentialsFile: join(folder, file), key }) as const;
  const masterKey = createSecretKey(randomBytes(32));
  const generationsOf = async (key: string) =>
    (await AwsKmsService.open(optionsWith('credentials', key))).generationsOf(masterKey);
  const aliasOf = (key: string, generation: number) => `alias/${generationNames(key, masterKey)}-${generation}`;
  const keyOf = (alias: string) => kms.keys.get(kms.aliases.get(alias) ?? '');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aws-kms-'));
    kms = await KmsStub.start();
    writeFileSync(join(folder, 'credentials'), awsCredentials(kms.accessKey));
    writeFileSync(join(folder, 'others'), awsCredentials('AKIDOTHER'));
  });
  afterEach(() => {
    kms.refuse = () => undefined;
    kms.calls.length = 0;
  });
  afterAll(() => {
    kms.stop();
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith('credentials', key),
    refused: (key) => optionsWith('others', key),
    notSealed: Buffer.alloc(60, 7).toString('base64'),
  }));

  it('reads a changed file of credentials, and says which file has none', async () => {
    const generations = (await AwsKmsService.open(optionsWith('later'))).generationsOf(masterKey);
    await expect(generations.read(2)).rejects.toThrow(/credentials, .*later, does not hold a profile default/);
    writeFileSync(join(folder, 'later'), awsCredentials(kms.accessKey));
    expect(await generations.read(2)).toBeUndefined();
  });

  it.each([
    ['KMSInternalException', 'KeyServiceAway', /answers KMSInternalException$/],
    ['ThrottlingException', 'KeyServiceAway', /answers ThrottlingException$/],
    ['AccessDeniedException', 'VaultError', /answers AccessDeniedException to Decrypt$/],
    ['DisabledException', 'VaultError', /answers DisabledException to Decrypt$/],
  ])(
    'distinguishes an outage from a refusal, and repeats nothing of an answer: %s',
    async (exception, name, message) => {
      kms.refuse = () => exception;
      const service = await AwsKmsService.open(optionsWith());
      const error: unknown = await service.unseal('AAAA').catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name, message: expect.stringMatching(message) as string });
      expect(JSON.stringify([error, String(error)])).not.toContain('planted');
    },
  );

  it('says that the service is away, with the reason in its cause', async () => {
    const service = await AwsKmsService.open({ ...optionsWith(), url: 'http://127.0.0.1:1' });
    await expect(service.unseal('AAAA')).rejects.toMatchObject({
      name: 'KeyServiceAway',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('waits until KMS knows a new alias', async () => {
    const generations = await generationsOf('slow');
    let unknown = 2;
    kms.refuse = (operation) => (operation === 'GenerateMac' && unknown-- > 0 ? 'NotFoundException' : undefined);
    await generations.create(2);
    expect(unknown).toBeLessThan(0);
  });

  it('names and tags a generation by its installation, so that a policy lets nobody else delete it', async () => {
    const tags: unknown[] = [];
    kms.refuse = (operation, { Tags }) => void (operation === 'CreateKey' && tags.push(Tags));
    await (await generationsOf('tagged')).create(2);
    const names = generationNames('tagged', masterKey);
    expect(tags).toEqual([[{ TagKey: 'opendsr-generations', TagValue: names }]]);
    expect([names.includes(masterKeyId(masterKey)), kms.aliases.has(`alias/${names}-2`)]).toEqual([true, true]);
  });

  it('imports the material of each generation, and leaves no key of a lost race with material', async () => {
    const [one, other] = [await generationsOf('race'), await generationsOf('race')];
    const before = new Set(kms.keys.keys());
    await Promise.all([one.create(2), other.create(2)]);
    const made = [...kms.keys.values()].filter(({ KeyId }) => !before.has(KeyId));
    expect(made.every(({ Origin }) => Origin === 'EXTERNAL')).toBe(true);
    expect(made.map(({ KeyState }) => KeyState).sort()).toEqual(['Enabled', 'PendingDeletion']);
  });

  it('deletes the material at once, and calls a generation destroyed only when KMS does', async () => {
    const generations = await generationsOf('gone');
    await generations.create(2);
    const key = keyOf(aliasOf('gone', 2));
    kms.refuse = (operation) => (operation === 'DeleteImportedKeyMaterial' ? 'AccessDeniedException' : undefined);
    await expect(generations.destroy(2)).rejects.toThrow('AccessDeniedException to DeleteImportedKeyMaterial');
    expect(await generations.read(2)).toBeDefined();
    // Cut off after each of the steps, it is taken up again.
    for (const step of ['ScheduleKeyDeletion', 'DeleteAlias']) {
      kms.refuse = (operation) => (operation === step ? 'KMSInternalException' : undefined);
      await expect(generations.destroy(2)).rejects.toThrow('KMSInternalException');
      expect(key?.bytes).toEqual(Buffer.alloc(32));
    }
    kms.refuse = () => undefined;
    await generations.destroy(2);
    expect([key?.KeyState, kms.aliases.has(aliasOf('gone', 2))]).toEqual(['PendingDeletion', false]);
    expect(await generations.read(2)).toBeUndefined();
  });

  it('does not take a key that an administrator disabled or is about to delete for a destroyed one', async () => {
    const generations = await generationsOf('held');
    await generations.create(2);
    const key = keyOf(aliasOf('held', 2));
    for (const [state, why] of [
      ['Disabled', 'DisabledException'],
      ['PendingDeletion', 'it is PendingDeletion'],
    ] as const) {
      if (key) key.KeyState = state;
      await expect(generations.read(2)).rejects.toThrow(why);
    }
  });
});
