import { verify, type X509Certificate } from 'node:crypto';
import { certificateFacts } from '@opendsr-service/signing';
import type { RevocationList } from './revocation-list';

export interface ListContext {
  readonly isAuthority: boolean;
  /** DER of the name of the issuer. */
  readonly issuerName: Buffer;
  /** Must have signed the list. */
  readonly issuer: X509Certificate;
  /** A list that names addresses must name one of these, so that another list of the authority cannot replace it. */
  readonly addresses: readonly string[];
  readonly now: Date;
}

/** Undefined: the list is valid evidence. */
export function listFault(list: RevocationList, question: ListContext): string | undefined {
  const faults: [boolean, string][] = [
    [!list.issuer.equals(question.issuerName), 'is of another authority'],
    [!covers(list.scope, question), 'does not cover this certificate'],
    [list.thisUpdate > question.now, 'is of a later time'],
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
