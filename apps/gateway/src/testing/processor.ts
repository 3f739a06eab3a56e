import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { ServedVersion } from '../versions/served-version';

/** What answers in one version, under a name of its own, with signatures that say only that they were made. */
export const processorOf = (version: ProtocolVersion): ServedVersion => {
  const domain = `${version.root}.dsr.example.com`;
  return {
    version,
    domain,
    publicUrl: '',
    certificatesUrl: '',
    signer: {
      domain,
      certificatePem: '',
      fingerprint: '',
      notAfter: new Date(0),
      publishedName: '',
      sign: () => Promise.resolve('c2lnbmF0dXJl'),
    },
  };
};
