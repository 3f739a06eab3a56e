import { Controller, Get, Inject, Param, Res, UseFilters, type Type } from '@nestjs/common';
import { DISCOVERY_IDENTITIES, REQUEST_TYPES, type ProtocolVersion, type Shape } from '@opendsr-service/contracts';
import { DsrErrorFilter, notFound, sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { ServedVersion } from '../../versions/served-version';
import type { DISCOVERY_RECORD } from '../answers/receipt-schemas';
import { SERVED_VERSIONS } from '../tokens';
import { CertificatesStore } from './certificates.store';

const CACHE_SHORTLY = 'public, max-age=300';
/** The name identifies the bytes. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** See protocol, "Discovery record". */
const discoveryRecord = ({ version, certificatesUrl, signer }: ServedVersion): Shape<typeof DISCOVERY_RECORD> => ({
  api_version: version.apiVersion,
  supported_identities: DISCOVERY_IDENTITIES.map((identity_type) => ({ identity_type, identity_format: 'raw' })),
  supported_subject_request_types: [...REQUEST_TYPES].sort(),
  processor_certificate: `${certificatesUrl}/${signer.publishedName}`,
});

/** Needs no credentials. */
export function discoveryController(version: ProtocolVersion): Type {
  const immutableName = new RegExp(`^${version.certificateFile.replace('.pem', '-[0-9a-f]{32}[.]pem')}$`);

  @Controller(version.root)
  @UseFilters(DsrErrorFilter)
  class DiscoveryController {
    private readonly served: ServedVersion;

    constructor(
      @Inject(SERVED_VERSIONS) servedVersions: ReadonlyMap<string, ServedVersion>,
      @Inject(CertificatesStore) private readonly certificates: CertificatesStore,
    ) {
      this.served = servedVersions.get(version.apiVersion) as ServedVersion;
    }

    @Get('discovery')
    discover(@Res() reply: FastifyReply): void {
      sendAnswer(reply, 200, discoveryRecord(this.served), { 'cache-control': CACHE_SHORTLY });
    }

    @Get('certificates/:file')
    async certificate(@Res() reply: FastifyReply, @Param('file') file: string): Promise<void> {
      const isStable = file === version.certificateFile;
      const pem = isStable ? this.served.signer.certificatePem : await this.published(file);
      if (pem === undefined) throw notFound();
      await reply
        .header('content-type', 'application/x-pem-file')
        .header('cache-control', isStable ? CACHE_SHORTLY : CACHE_FOREVER)
        .send(pem);
    }

    /** The current certificate, or an earlier one of any gateway. */
    private async published(file: string): Promise<string | undefined> {
      const { publishedName, certificatePem } = this.served.signer;
      if (file === publishedName) return certificatePem;
      return immutableName.test(file) ? this.certificates.findPem(file) : undefined;
    }
  }
  return DiscoveryController;
}
