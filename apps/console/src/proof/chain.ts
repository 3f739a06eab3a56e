import { isFitAuthority, isInDate, isIssuedBy, isSoundlySigned, pathLengthOf, type Certificate } from './certificate';

interface Trust {
  readonly trusted: readonly Certificate[];
  readonly at: Date;
}

/**
 * The shortest path from a certificate to a trusted authority, by others that came with it; empty: there is none. Each of the others is
 * tried once, with the fewest below it: with more it leads nowhere else, and no file makes the search long.
 */
export async function pathOf(
  leaf: Certificate,
  others: readonly Certificate[],
  { trusted, at }: Trust,
): Promise<readonly Certificate[]> {
  const left = new Set(others);
  const reached: { readonly certificate: Certificate; readonly below: readonly Certificate[] }[] = [
    { certificate: leaf, below: [] },
  ];
  for (const { certificate, below } of reached) {
    if (!isSoundlySigned(certificate)) continue;
    const issues = async (issuer: Certificate): Promise<boolean> =>
      isInDate(issuer, at) &&
      isFitAuthority(issuer) &&
      (pathLengthOf(issuer) ?? -1) >= below.length &&
      (await isIssuedBy(certificate, issuer));
    const path = [...below, certificate];
    for (const anchor of trusted) if (await issues(anchor)) return [...path, anchor];
    for (const issuer of left) {
      if (!(await issues(issuer))) continue;
      left.delete(issuer);
      reached.push({ certificate: issuer, below: path });
    }
  }
  return [];
}
