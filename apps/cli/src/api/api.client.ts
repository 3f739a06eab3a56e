import { certificateFacts, readCertificates } from '@opendsr-service/signing';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { fail, ok, type Finding } from '../doctor/finding';

const ANSWER_WITHIN_MS = 5_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Undefined without a whole answer in time. Follows no redirect. */
const ask = (base: URL, path: string, init: RequestInit = {}): Promise<Answer | undefined> =>
  fetch(`${base.href.replace(/\/$/, '')}${path}`, {
    ...init,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    redirect: 'manual',
  })
    .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    .catch(() => undefined);

const unanswered = (check: string, answer: Answer | undefined): Finding =>
  answer
    ? fail(check, `it is answered with ${answer.status}`, 'correct the address, or read the log of the service')
    : fail(check, 'no answer', 'start the service, or correct its address');

/** The name of the certificate in the record of discovery. Its address is the public one, which may not lead here. */
function certificateNameIn(record: string): string | undefined {
  try {
    const { processor_certificate: address } = JSON.parse(record) as { readonly processor_certificate?: unknown };
    return new URL(String(address)).pathname.split('/').at(-1);
  } catch {
    return undefined;
  }
}

/** Whether an address answers discovery of a version, and with the certificate that discovery names. */
export async function versionFindings(
  { apiVersion, root }: ProtocolVersion,
  base: URL,
  now: Date,
): Promise<readonly Finding[]> {
  const check = `discovery of version ${apiVersion}`;
  const record = await ask(base, `/${root}/discovery`);
  if (record?.status !== 200) return [unanswered(check, record)];
  const name = certificateNameIn(record.text);
  if (name === undefined)
    return [fail(check, 'the answer is no record of discovery', 'correct the address: something else answers')];
  const certificate = await ask(base, `/${root}/certificates/${name}`);
  return [ok(check, 'it is answered'), certificateFinding(`certificate of version ${apiVersion}`, certificate, now)];
}

function certificateFinding(check: string, answer: Answer | undefined, now: Date): Finding {
  if (answer?.status !== 200) return unanswered(check, answer);
  const [leaf] = readCertificates(answer.text);
  if (!leaf) return fail(check, 'the answer is no certificate', 'correct the address: something else answers');
  const { validFromDate: from, validToDate: to } = leaf;
  return from <= now && now <= to
    ? ok(check, `it is published, for ${certificateFacts(leaf).commonNames.join(', ')} until ${to.toISOString()}`)
    : fail(
        check,
        `it is valid from ${from.toISOString()} until ${to.toISOString()}`,
        'renew it; dsr certs check shows more',
      );
}

/** Whether ingestion answers. It refuses a call without credentials, before it reads what the call says. */
export async function ingestionFindings(base: URL): Promise<readonly Finding[]> {
  const check = 'ingestion';
  const answer = await ask(base, '/v1/identify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return [answer?.status === 401 ? ok(check, 'it answers, and wants credentials') : unanswered(check, answer)];
}
