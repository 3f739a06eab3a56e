import { verify, type X509Certificate } from 'node:crypto';
import { certificateFacts } from '@opendsr-service/signing';
import type { RevocationList } from './revocation-list';

export interface ListContext {
  readonly isAuthority: boolean;
  /** DER of the name of the issuer. */
  readonly issuerName: Buffer;
  readonly issuer: X509Certificate;
  /** A list with addresses must name one of these: another list of the authority must not replace it. */
  readonly addresses: readonly string[];
  readonly now: Date;
}

export function listFault(list: RevocationList, question: ListContext): string | undefined {
  const faults: [boolean, string][] = [
    [!list.issuer.equals(question.issuerName), 'is from another authority'],
    [!covers(list.scope, question), 'does not cover this certificate'],
    [list.thisUpdate > question.now, 'is not yet valid'],
    [!list.nextUpdate || list.nextUpdate < question.now, 'is out of date'],
  ];
  const [, fault] = faults.find(([isSo]) => isSo) ?? [];
  return fault ?? (isSignedBy(list, question.issuer) ? undefined : 'is not signed by the authority');
}

function covers(
  { addresses, onlyLeaves, onlyAuthorities, partial }: RevocationList['scope'],
  question: ListContext,
): boolean {
  if (partial || (question.isAuthority ? onlyLeaves : onlyAuthorities)) return false;
  return addresses === undefined || addresses.some((address) => question.addresses.includes(address));
}

function isSignedBy({ hash, signed, signature }: RevocationList, issuer: X509Certificate): boolean {
  return hash !== undefined && certificateFacts(issuer).signsLists && verify(hash, signed, issuer.publicKey, signature);
}
