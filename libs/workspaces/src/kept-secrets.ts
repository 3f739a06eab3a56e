import type { KeyObject } from 'node:crypto';
import type { MasterSeal } from '@opendsr-service/vault';
import type { BasicCredentials } from './basic';
import { newCredential } from './new-credential';
import { SecretHash } from './secret-hash';
import type { CredentialDocument, Scope } from './workspace-documents';

/** The stored form of API secrets: a keyed hash and, where they verify HMACs, a seal (decision 4). */
export class KeptSecrets {
  private readonly hash: SecretHash;
  private readonly inventedSealed: string;

  constructor(
    credentialKey: KeyObject,
    private readonly seal: MasterSeal,
  ) {
    this.hash = new SecretHash(credentialKey);
    this.inventedSealed = seal.seal(INVENTED, newCredential().secret);
  }

  storedFields(
    ws: string,
    scopes: readonly Scope[],
    { key, secret }: BasicCredentials,
  ): Pick<CredentialDocument, 'hash' | 'sealed' | 'scopes'> {
    const hash = this.hash.hashOf({ key, secret });
    return {
      hash,
      scopes: [...scopes],
      ...(scopes.includes('ingest') && { sealed: this.seal.seal(purposeOf(ws, key), secret) }),
    };
  }

  /** In constant time, also without a credential. */
  isSecret(credentials: BasicCredentials, kept: CredentialDocument | undefined): boolean {
    return this.hash.matches(credentials, kept?.hash);
  }

  /** The sealed secret, or with the same work an invented one. Throws a VaultError if it was sealed for another key or workspace. */
  openOrInvent(credential: CredentialDocument | undefined): string {
    return (credential && this.open(credential)) ?? this.seal.open(INVENTED, this.inventedSealed);
  }

  open({ _id, ws, sealed }: CredentialDocument): string | undefined {
    return sealed === undefined ? undefined : this.seal.open(purposeOf(ws, _id), sealed);
  }
}

const INVENTED = 'credential|nobody';
const purposeOf = (ws: string, key: string): string => `credential|${ws}|${key}`;
