import type { KeyObject } from 'node:crypto';
import type { MasterSeal } from '@opendsr-service/vault';
import type { BasicCredentials } from './basic';
import { newCredential } from './new-credential';
import { SecretHash } from './secret-hash';
import type { CredentialDocument, Scope } from './workspace-documents';

/** What a database keeps of the secrets of API keys: keyed hashes and, where HMACs must be verified with them, seals (decision 4). */
export class KeptSecrets {
  private readonly hash: SecretHash;
  /** For who names a key that is nobody's. */
  private readonly invented: string;

  /** `credentialKey` is the vault's system key `credentials`. */
  constructor(
    credentialKey: KeyObject,
    private readonly seal: MasterSeal,
  ) {
    this.hash = new SecretHash(credentialKey);
    this.invented = seal.seal(INVENTED, newCredential().secret);
  }

  /** The fields of a credential that depend on its secret or decide how it is kept. */
  of(
    ws: string,
    scopes: readonly Scope[],
    { key, secret }: BasicCredentials,
  ): Pick<CredentialDocument, 'hash' | 'sealed' | 'scopes'> {
    const hash = this.hash.of({ key, secret });
    return {
      hash,
      scopes: [...scopes],
      ...(scopes.includes('ingest') && { sealed: this.seal.seal(purposeOf(ws, key), secret) }),
    };
  }

  /** Whether this is the secret, in constant time, without a credential too. */
  isSecret(credentials: BasicCredentials, kept: CredentialDocument | undefined): boolean {
    return this.hash.matches(credentials, kept?.hash);
  }

  /** The secret where it is kept sealed, else one that nobody has, by the same work. Throws a VaultError as `open` does. */
  openOrInvent(credential: CredentialDocument | undefined): string {
    return (credential && this.open(credential)) ?? this.seal.open(INVENTED, this.invented);
  }

  /** The secret, where it is kept sealed. Throws a VaultError where it was sealed for another key or workspace. */
  open({ _id, ws, sealed }: CredentialDocument): string | undefined {
    return sealed === undefined ? undefined : this.seal.open(purposeOf(ws, _id), sealed);
  }
}

const INVENTED = 'credential|nobody';
const purposeOf = (ws: string, key: string): string => `credential|${ws}|${key}`;
