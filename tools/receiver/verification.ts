import { V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { checkCertificate, verifySignature } from '@opendsr-service/signing';
import type { Callback } from './receiver';

/** What a controller settles beforehand about the processor it trusts. */
export interface Trust {
  /** The allow list for the domain header. */
  readonly domains: readonly string[];
  /** Where the processor can be asked, `{base_url}` of the interface. */
  readonly baseUrl: string;
  /** The authorities that certificates must lead to, PEM. */
  readonly authorityPem: string;
}

/** The certificate that discovery names. */
export interface Published {
  readonly url: string;
  readonly pem: string;
}

/** Fetches what discovery publishes as `processor_certificate`. */
export async function fetchCertificate(baseUrl: string, version: ProtocolVersion = V2): Promise<Published> {
  const discovery = await fetch(`${baseUrl}/${version.root}/discovery`);
  if (discovery.status !== 200) throw new Error(`discovery answered ${String(discovery.status)}`);
  const { processor_certificate: url } = (await discovery.json()) as { processor_certificate: string };
  const certificate = await fetch(url);
  if (certificate.status !== 200) throw new Error(`the certificate's address answered ${String(certificate.status)}`);
  return { url, pem: await certificate.text() };
}

type HeaderOf = (name: string) => string | undefined;

/** The checks of everything signed: domain, certificate, signature over the exact bytes. Answers what is wrong, in words. */
export async function signatureFaults(body: Buffer, header: HeaderOf, trust: Trust, version: ProtocolVersion = V2): Promise<string[]> {
  const domain = header(version.domainHeader.toLowerCase());
  if (domain === undefined || !trust.domains.includes(domain)) return ['the domain header is not in the allow list'];
  const { pem } = await fetchCertificate(trust.baseUrl, version);
  const certificate = checkCertificate(pem, { domain, trustPem: trust.authorityPem, now: new Date() });
  if (certificate.length > 0) return certificate.map((fault) => `the certificate is ${fault}`);
  return verifySignature(body, header(version.signatureHeader.toLowerCase()) ?? '', pem) ? [] : ['the signature does not match the body'];
}

/** All that a receiver checks of a callback before it believes it (interface.md, "Callback authenticity"); `url` is its own address. */
export async function callbackFaults(callback: Callback, url: string, trust: Trust, version: ProtocolVersion = V2): Promise<string[]> {
  const faults = await signatureFaults(callback.body, (name) => asOne(callback.headers[name]), trust, version);
  if (faults.length > 0) return faults;
  if (callback.method !== 'POST') return ['the method is not POST'];
  if (!/^application\/json\b/.test(callback.headers['content-type'] ?? '')) return ['the content type is not application/json'];
  const { status_callback_url: meant } = JSON.parse(callback.body.toString()) as { status_callback_url?: unknown };
  return meant === url ? [] : ['the callback is meant for another address'];
}

const asOne = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? undefined : value);
