import type { KeyObject } from 'node:crypto';
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DecryptCommand,
  EncryptCommand,
  type KMSClient,
} from '@aws-sdk/client-kms';
import { answered, answeredUnless, openClient, type AwsKmsOptions } from './aws-kms.calls';
import { AwsKmsGenerations } from './aws-kms.generations';
import { generationNames, type KeyService } from './key-service';
import { VaultError } from './vault-error';

/** Bound to the ciphertext, and readable in AWS's own log of calls. */
const EncryptionContext = { opendsr: 'master key' };

/** AWS KMS, or a service with its API. */
export class AwsKmsService implements KeyService {
  private readonly alias: string;

  private constructor(
    private readonly client: KMSClient,
    private readonly key: string,
  ) {
    this.alias = `alias/${key}`;
  }

  static async open(options: AwsKmsOptions): Promise<AwsKmsService> {
    return new AwsKmsService(await openClient(options), options.key);
  }

  generationsOf(masterKey: KeyObject): AwsKmsGenerations {
    return new AwsKmsGenerations(this.client, generationNames(this.key, masterKey));
  }

  async seal(bytes: Buffer): Promise<string> {
    const sealed =
      (await answeredUnless(['NotFoundException'], 'Encrypt', this.encrypt(this.alias, bytes))) ??
      (await answered('Encrypt', this.encrypt(await this.makeKey(), bytes)));
    return bytesOf(sealed.CiphertextBlob).toString('base64');
  }

  async unseal(sealed: string): Promise<Buffer> {
    const CiphertextBlob = Buffer.from(sealed, 'base64');
    const opened = this.client.send(new DecryptCommand({ KeyId: this.alias, CiphertextBlob, EncryptionContext }));
    return bytesOf((await answered('Decrypt', opened)).Plaintext);
  }

  private encrypt(KeyId: string, Plaintext: Buffer) {
    return this.client.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
  }

  private async makeKey(): Promise<string> {
    const Description = 'OpenDSR, seals the master key';
    const created = await answered('CreateKey', this.client.send(new CreateKeyCommand({ Description })));
    const keyId = created.KeyMetadata?.KeyId ?? '';
    const alias = { AliasName: this.alias, TargetKeyId: keyId };
    await answered('CreateAlias', this.client.send(new CreateAliasCommand(alias)));
    return keyId;
  }
}

function bytesOf(answer: Uint8Array | undefined): Buffer {
  if (!answer) throw new VaultError('key-service', 'the key service answers no bytes');
  return Buffer.from(answer);
}
