import { randomUUID } from 'node:crypto';

/** Writes a bigint as an integer. Throws a TypeError for an mpid that lost digits. */
export function requestBody(request: object): string {
  const mark = randomUUID();
  const text = JSON.stringify(request, (key, value: unknown) => {
    if (key === 'mpids') demandWholeIds(value);
    return typeof value === 'bigint' ? `${mark}${String(value)}` : value;
  });
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

function demandWholeIds(mpids: unknown): void {
  const lost = Array.isArray(mpids) && mpids.some((mpid) => typeof mpid === 'number' && !Number.isSafeInteger(mpid));
  // Without the value, which is personal data.
  if (lost)
    throw new TypeError('an mpid beyond 2^53 has lost digits as a number: give it as bigint or as decimal string');
}
