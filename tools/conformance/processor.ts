import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import type { Answer } from './answer';
import { expectSuccess, expectThat, Failure, fieldsOf, type Fields } from './checks';
import type { Session } from './session';

/** What the processor says of itself; fetched once. */
export const discovery = (session: Session): Promise<Answer> =>
  session.once('discovery', () => session.call('GET', '/discovery/', { as: 'nobody' }));

/** The certificate that discovery names; fetched once. */
export const certificate = (session: Session): Promise<Answer> =>
  session.once('certificate', async () => {
    const { processor_certificate: url } = fieldsOf(await discovery(session));
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new Failure('expected discovery to name the certificate’s address, got none');
    const answer = await session.fetch(url);
    expectSuccess(answer, 'the certificate’s address');
    return answer;
  });

export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? undefined : value;
};

/**
 * The processor's domain from its answers to creates, or from its certificate. It is also the key of its own extension.
 */
export const domainOf = (session: Session): Promise<string> =>
  session.once('domain', async () => {
    const answer = await session.create(session.body());
    return (
      headerOf(answer, session.version.domainHeader) ?? namesOf((await certificate(session)).body.toString())[0] ?? ''
    );
  });

export function namesOf(pem: string): string[] {
  const { subject, subjectAltName } = leafOf(pem);
  const alternative = (subjectAltName ?? '')
    .split(', ')
    .flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
  const common = /(?:^|\n)CN=([^\n]+)/.exec(subject)?.[1];
  return [...new Set([...(common === undefined ? [] : [common]), ...alternative])];
}

export function leafOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new Failure('expected a certificate in PEM, got something else');
  }
}

const BASE64_LINE = /^[A-Za-z0-9+/]+={0,2}$/;

export function expectDomain(session: Session, message: Pick<Answer, 'headers'>): void {
  expectThat(
    headerOf(message, session.version.domainHeader) !== undefined,
    `the header ${session.version.domainHeader}`,
    'none',
  );
}

export function expectSignatureHeader(session: Session, message: Pick<Answer, 'headers'>): string {
  const { signatureHeader } = session.version;
  const signature = headerOf(message, signatureHeader);
  if (signature === undefined) throw new Failure(`expected the header ${signatureHeader}, got none`);
  expectThat(BASE64_LINE.test(signature), `${signatureHeader} to be standard Base64 on one line`, 'something else');
  return signature;
}

/** Whether the published certificate signed exactly these bytes (protocol, "Callback authenticity"). */
export async function expectSignature(session: Session, message: Pick<Answer, 'headers' | 'body'>): Promise<void> {
  const signature = Buffer.from(expectSignatureHeader(session, message), 'base64');
  const key = createPublicKey((await certificate(session)).body.toString());
  expectThat(
    verify('sha256', message.body, key, signature),
    'a signature with RSA and SHA-256 over the exact bytes of the body',
    'one that does not verify',
  );
}

export async function expectSigned(session: Session, message: Pick<Answer, 'headers' | 'body'>): Promise<void> {
  expectDomain(session, message);
  await expectSignature(session, message);
}

export function expectJsonType(message: Pick<Answer, 'headers'>): void {
  const type = headerOf(message, 'content-type');
  expectThat(/^application\/json\s*(;|$)/i.test(type ?? ''), 'Content-Type application/json', type ?? 'none');
}

/** As strict clients need it (protocol, "Content-Type of answers"). */
export function expectStrictJsonType(message: Pick<Answer, 'headers'>): void {
  const type = headerOf(message, 'content-type');
  expectThat(
    type === 'application/json; charset=utf-8',
    'Content-Type application/json; charset=utf-8',
    type ?? 'none',
  );
}

/** The first fault that an error answer names. */
export function firstFault(answer: Answer): Fields {
  const { errors } = fieldsOf(answer);
  const [first] = Array.isArray(errors) ? (errors as Fields[]) : [];
  return first ?? {};
}
