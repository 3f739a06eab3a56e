import { randomUUID } from 'node:crypto';

/** JSON in which a bigint is an integer with all its digits. Throws a TypeError for an mpid that a number cannot have held. */
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
  // The value is personal data, so the message does not repeat it.
  if (lost)
    throw new TypeError('an mpid beyond 2^53 has lost digits as a number: give it as bigint or as decimal string');
}
