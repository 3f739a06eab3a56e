import { createVerifier, type SignedVerdict, type Verifier } from '@opendsr-service/client';
import { V2, type ProtocolVersion } from '@opendsr-service/contracts';
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
interface Published {
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
export async function signatureFaults(
  body: Buffer,
  header: HeaderOf,
  trust: Trust,
  version: ProtocolVersion = V2,
): Promise<string[]> {
  return faultsOf(
    await verifierOf(trust).verifySigned(body, { get: (name) => header(name.toLowerCase()) ?? null }),
    version,
  );
}

/** All that a receiver checks of a callback before it believes it (protocol, "Callback authenticity"); `url` is its own address. */
export async function callbackFaults(
  { method, headers, body }: Callback,
  url: string,
  trust: Trust,
  version: ProtocolVersion = V2,
): Promise<string[]> {
  const verdict = await verifierOf(trust).verify(body, headers);
  if (!verdict.valid) return faultsOf(verdict, version);
  if (method !== 'POST') return ['the method is not POST'];
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return ['the content type is not application/json'];
  return verdict.callback.status_callback_url === url
    ? faultsOf(verdict, version)
    : ['url: the callback is meant for another address'];
}

const verifiers = new WeakMap<Trust, Verifier>();

/** What a verifier has fetched is kept for each object, as a receiver keeps it; a new object starts from nothing. */
function verifierOf(trust: Trust): Verifier {
  const { domains, baseUrl, authorityPem } = trust;
  // A receiver of tests has a new address for each of them, so that the address is compared here.
  const verifier =
    verifiers.get(trust) ??
    createVerifier({
      allowedDomains: Object.fromEntries(domains.map((domain) => [domain, baseUrl])),
      callbackUrls: () => true,
      trust: authorityPem,
    });
  verifiers.set(trust, verifier);
  return verifier;
}

function faultsOf(verdict: SignedVerdict, { apiVersion }: ProtocolVersion): string[] {
  if (!verdict.valid)
    return verdict.checks.filter(({ passed }) => !passed).map(({ check, detail }) => `${check}: ${detail}`);
  return verdict.version === apiVersion ? [] : [`headers: those of version ${verdict.version}`];
}
