import { isFitAuthority, isInDate, isIssuedBy, isSoundlySigned, pathLengthOf, type Certificate } from './certificate';

interface Trust {
  readonly trusted: readonly Certificate[];
  readonly at: Date;
}

/** From a certificate to a trusted authority, by others that came with it; empty: there is no such path. */
export async function pathOf(
  certificate: Certificate,
  others: readonly Certificate[],
  trust: Trust,
  below = 0,
): Promise<readonly Certificate[]> {
  if (!isSoundlySigned(certificate)) return [];
  const issues = async (issuer: Certificate): Promise<boolean> =>
    isInDate(issuer, trust.at) &&
    isFitAuthority(issuer) &&
    (pathLengthOf(issuer) ?? -1) >= below &&
    (await isIssuedBy(certificate, issuer));
  for (const anchor of trust.trusted) if (await issues(anchor)) return [certificate, anchor];
  for (const other of others) {
    if (!(await issues(other))) continue;
    const left = others.filter((one) => one !== other);
    const rest = await pathOf(other, left, trust, below + 1);
    if (rest.length > 0) return [certificate, ...rest];
  }
  return [];
}
