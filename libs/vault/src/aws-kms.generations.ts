import { constants, createPublicKey, createSecretKey, publicEncrypt, randomBytes, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DeleteAliasCommand,
  DeleteImportedKeyMaterialCommand,
  DescribeKeyCommand,
  GenerateMacCommand,
  GetParametersForImportCommand,
  ImportKeyMaterialCommand,
  type KMSClient,
  type KeyMetadata,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { answered, answeredUnless } from './aws-kms.calls';
import type { GenerationSecrets } from './generation-secrets';
import { KeyServiceAway } from './key-service';
import { VaultError } from './vault-error';

const SECRET_BYTES = 32;
const INPUT = Buffer.from('opendsr generation');
/** Names the keys that policies may let the service delete. */
const TAG = 'opendsr-generations';
/** The shortest that KMS allows. The key is empty by then. */
const WAITING_DAYS = 7;
/** A new alias is known everywhere in KMS within seconds. */
const PATIENCE = { tries: 20, everyMs: 500 };

/**
 * One HMAC key for each generation, found by its alias, whose material is imported: KMS deletes that at once, while it
 * deletes a key itself after a week at the earliest. Nobody keeps the material, so nobody can import it again.
 */
export class AwsKmsGenerations implements GenerationSecrets {
  constructor(
    private readonly client: KMSClient,
    /** What their names begin with. */
    private readonly names: string,
  ) {}

  async create(generation: number): Promise<void> {
    if (!(await this.describe(generation))) {
      const keyId = await this.makeKey(generation);
      const alias = { AliasName: this.aliasOf(generation), TargetKeyId: keyId };
      const named = this.client.send(new CreateAliasCommand(alias));
      // Another process was first.
      if (!(await answeredUnless(['AlreadyExistsException'], 'CreateAlias', named))) await this.remove(keyId);
    }
    for (let tries = 0; tries < PATIENCE.tries; tries++) {
      if (await this.mac(generation)) return;
      await pause(PATIENCE.everyMs);
    }
    throw new KeyServiceAway('the key service does not know its new key yet');
  }

  async read(generation: number): Promise<KeyObject | undefined> {
    const mac = await this.mac(generation);
    if (mac) return secretOf(mac);
    const state = (await this.describe(generation))?.KeyState;
    if (state === undefined || state === 'PendingImport') return undefined;
    throw new VaultError(
      'key-service',
      `the key ${this.aliasOf(generation)} of the key service cannot be used: it is ${state}`,
    );
  }

  async destroy(generation: number): Promise<void> {
    const key = await this.describe(generation);
    if (!key) return;
    await this.remove(key.KeyId ?? '', key.KeyState);
    await answered('DeleteAlias', this.client.send(new DeleteAliasCommand({ AliasName: this.aliasOf(generation) })));
  }

  /** Undefined: there is no key, or its state forbids it. */
  private async mac(generation: number): Promise<Uint8Array | undefined> {
    const input = { KeyId: this.aliasOf(generation), Message: INPUT, MacAlgorithm: 'HMAC_SHA_256' } as const;
    const answer = await answeredUnless(
      ['NotFoundException', 'KMSInvalidStateException'],
      'GenerateMac',
      this.client.send(new GenerateMacCommand(input)),
    );
    return answer && (answer.Mac ?? new Uint8Array());
  }

  /** Undefined: nothing has the alias. */
  private describe(generation: number): Promise<KeyMetadata | undefined> {
    return this.metadata(this.aliasOf(generation));
  }

  private async metadata(KeyId: string): Promise<KeyMetadata | undefined> {
    const described = this.client.send(new DescribeKeyCommand({ KeyId }));
    return (await answeredUnless(['NotFoundException'], 'DescribeKey', described))?.KeyMetadata;
  }

  /** Returns the id of a key that has random material. */
  private async makeKey(generation: number): Promise<string> {
    const created = await answered(
      'CreateKey',
      this.client.send(
        new CreateKeyCommand({
          Origin: 'EXTERNAL',
          KeySpec: 'HMAC_256',
          KeyUsage: 'GENERATE_VERIFY_MAC',
          Description: `OpenDSR, key generation ${generation}`,
          Tags: [{ TagKey: TAG, TagValue: this.names }],
        }),
      ),
    );
    const KeyId = created.KeyMetadata?.KeyId ?? '';
    const wrapping = { WrappingAlgorithm: 'RSAES_OAEP_SHA_256', WrappingKeySpec: 'RSA_4096' } as const;
    const { PublicKey, ImportToken } = await answered(
      'GetParametersForImport',
      this.client.send(new GetParametersForImportCommand({ KeyId, ...wrapping })),
    );
    const material = { ImportToken, EncryptedKeyMaterial: newMaterial(PublicKey) };
    await answered(
      'ImportKeyMaterial',
      this.client.send(
        new ImportKeyMaterialCommand({ KeyId, ...material, ExpirationModel: 'KEY_MATERIAL_DOES_NOT_EXPIRE' }),
      ),
    );
    return KeyId;
  }

  /** Deletes the material, which ends the secret, and then what is left of the key. */
  private async remove(KeyId: string, state?: KeyMetadata['KeyState']): Promise<void> {
    await answered('DeleteImportedKeyMaterial', this.client.send(new DeleteImportedKeyMaterialCommand({ KeyId })));
    // An earlier try came as far as this, or an administrator: the material is deleted all the same.
    if (state === 'PendingDeletion') return;
    if ((await this.metadata(KeyId))?.KeyState !== 'PendingImport')
      throw new VaultError('key-service', `the key service has not deleted the material of ${KeyId} yet`);
    await answered(
      'ScheduleKeyDeletion',
      this.client.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: WAITING_DAYS })),
    );
  }

  private aliasOf(generation: number): string {
    return `alias/${this.names}-${generation}`;
  }
}

function newMaterial(wrappingKey: Uint8Array | undefined): Buffer {
  const key = createPublicKey({ key: Buffer.from(wrappingKey ?? []), format: 'der', type: 'spki' });
  const bytes = randomBytes(SECRET_BYTES);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key, padding, oaepHash: 'sha256' }, bytes);
  bytes.fill(0);
  return wrapped;
}

function secretOf(mac: Uint8Array): KeyObject {
  if (mac.length !== SECRET_BYTES) throw new VaultError('key-service', 'the key service answers no HMAC-SHA256');
  return createSecretKey(mac);
}
