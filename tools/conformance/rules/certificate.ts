import { checkCertificate, type CertificateFault } from '@opendsr-service/signing';
import { VERSIONS } from '@opendsr-service/contracts';
import { expectEqual, expectSuccess, expectThat, Failure, fieldsOf } from '../checks';
import { life } from '../life';
import { certificate, discovery, headerOf, leafOf, namesOf } from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Session } from '../session';

const pemOf = async (session: Session): Promise<string> => (await certificate(session)).body.toString();

/** What the domain header of a receipt says. */
async function domainHeader(session: Session): Promise<string> {
  const domain = headerOf((await life(session)).created, session.version.domainHeader);
  if (domain === undefined) throw new Failure(`expected the header ${session.version.domainHeader}, got none`);
  return domain;
}

/** The rule holds where the checks of a receiver do not find these faults. */
const without =
  (...faults: readonly CertificateFault[]) =>
  async (session: Session): Promise<void> => {
    const pem = await pemOf(session);
    const [domain = ''] = namesOf(pem);
    const found = checkCertificate(pem, { domain, trustPem: session.target.authorityPem ?? '', now: new Date() });
    for (const fault of faults) expectThat(!found.includes(fault), `a certificate that is not ${fault}`, 'one that is');
  };

export const certificateRules = [
  ...inInterface('Discovery record', [
    {
      id: 'certificate.pem',
      title: 'processor_certificate leads to a certificate in PEM',
      run: async (session) => {
        const pem = await pemOf(session);
        expectThat(pem.includes('-----BEGIN CERTIFICATE-----'), 'PEM', 'something else');
        leafOf(pem);
      },
    },
    {
      id: 'certificate.distinct',
      title: 'the two versions have two distinct certificates',
      versions: ['1.0'],
      needs: ['bothVersions'],
      run: async (session) => {
        const own = leafOf(await pemOf(session)).fingerprint256;
        const [newest] = VERSIONS;
        const url = `${session.target.baseUrls['2.0'] ?? ''}/${newest?.root ?? ''}/discovery`;
        const { processor_certificate: other } = fieldsOf(await session.fetch(url));
        const answer = await session.fetch(String(other));
        expectSuccess(answer, 'the certificate of version 2.0');
        expectThat(
          own !== leafOf(answer.body.toString()).fingerprint256,
          'a certificate of its own',
          'that of version 2.0',
        );
      },
    },
  ]),
  ...inInterface('Callback authenticity', [
    {
      id: 'certificate.domain',
      title: 'the certificate matches the processor domain header',
      run: async (session) =>
        expectThat(
          namesOf(await pemOf(session)).includes(await domainHeader(session)),
          'a name of the certificate in the domain header',
          'another name',
        ),
    },
    {
      id: 'certificate.rsa',
      title: 'the certificate has an RSA key',
      run: async (session) => expectEqual('key', leafOf(await pemOf(session)).publicKey.asymmetricKeyType, 'rsa'),
    },
    {
      id: 'certificate.allowed-domain',
      title: 'the processor domain header names an expected domain',
      needs: ['domains'],
      run: async (session) =>
        expectThat(session.target.domains.includes(await domainHeader(session)), 'one of --domains', 'another domain'),
    },
  ]),
  ...inNotes('Discovery and certificate', [
    {
      id: 'certificate.any-credentials',
      title: 'the address of the certificate ignores credentials',
      run: async (session) => {
        const { processor_certificate: url } = fieldsOf(await discovery(session));
        expectSuccess(
          await session.fetch(String(url), { key: 'nobody', secret: 'wrong' }),
          'the certificate’s address with wrong credentials',
        );
      },
    },
  ]),
  ...inNotes('PEM file', [
    {
      id: 'certificate.leaf-first',
      title: 'the first certificate of the file is no authority',
      run: async (session) => expectThat(!leafOf(await pemOf(session)).ca, 'the leaf first', 'an authority'),
    },
  ]),
  ...inNotes('Certificate checks by a receiver', [
    {
      id: 'certificate.names',
      title: 'the common name and the alternative names are exactly the domain',
      run: async (session) => {
        const found = checkCertificate(await pemOf(session), {
          domain: await domainHeader(session),
          trustPem: '',
          now: new Date(),
        });
        expectThat(
          !found.includes('common-name') && !found.includes('alternative-name'),
          'both names to be the domain',
          'others',
        );
      },
    },
    { id: 'certificate.in-date', title: 'the certificate is valid today', run: without('expired', 'not-yet-valid') },
    { id: 'certificate.key-usage', title: 'the key usage has digitalSignature', run: without('key-usage') },
    { id: 'certificate.not-self-signed', title: 'the certificate is not self-signed', run: without('self-signed') },
    {
      id: 'certificate.chain',
      title: 'the certificate leads to a trusted authority',
      needs: ['authority'],
      run: without('untrusted'),
    },
  ]),
];
