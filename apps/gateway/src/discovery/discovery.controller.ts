import { Controller, Get, Inject, Param, Res, UseFilters, type Type } from '@nestjs/common';
import { DISCOVERY_IDENTITIES, REQUEST_TYPES, type ProtocolVersion, type Shape } from '@opendsr-service/contracts';
import { DsrErrorFilter, notFound, sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { Processor } from '../answers/processor';
import type { DISCOVERY_RECORD } from '../answers/receipt-schemas';
import { PROCESSORS } from '../tokens';
import { CertificatesStore } from './certificates.store';

/** Of what changes with the certificate in force. */
const SHORTLY = 'public, max-age=300';
/** Of what is the same for ever: its name says which bytes it holds. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** What the service can do, for anybody who asks (interface.md, "Discovery record"). */
export const discoveryRecord = ({ version, certificatesUrl, signer }: Processor): Shape<typeof DISCOVERY_RECORD> => ({
  api_version: version.apiVersion,
  supported_identities: DISCOVERY_IDENTITIES.map((identity_type) => ({ identity_type, identity_format: 'raw' })),
  supported_subject_request_types: [...REQUEST_TYPES].sort(),
  processor_certificate: `${certificatesUrl}/${signer.publishedName}`,
});

/** Discovery and the certificates of one version. Neither needs credentials, both tolerate them. */
export function discoveryController(version: ProtocolVersion): Type {
  const immutableName = new RegExp(`^${version.certificateFile.replace('.pem', '-[0-9a-f]{32}[.]pem')}$`);

  @Controller(version.root)
  @UseFilters(DsrErrorFilter)
  class DiscoveryController {
    private readonly processor: Processor;

    constructor(
      @Inject(PROCESSORS) processors: ReadonlyMap<string, Processor>,
      @Inject(CertificatesStore) private readonly certificates: CertificatesStore,
    ) {
      this.processor = processors.get(version.apiVersion) as Processor;
    }

    @Get('discovery')
    discover(@Res() reply: FastifyReply): void {
      sendJson(reply, 200, Buffer.from(JSON.stringify(discoveryRecord(this.processor))), { 'cache-control': SHORTLY });
    }

    @Get('certificates/:file')
    async certificate(@Res() reply: FastifyReply, @Param('file') file: string): Promise<void> {
      const isStable = file === version.certificateFile;
      const pem = isStable ? this.processor.signer.certificatePem : await this.published(file);
      if (pem === undefined) throw notFound();
      await reply
        .header('content-type', 'application/x-pem-file')
        .header('cache-control', isStable ? SHORTLY : FOR_GOOD)
        .send(pem);
    }

    /** The one in force, or one that was: of another gateway, or of before. */
    private async published(file: string): Promise<string | undefined> {
      const { publishedName, certificatePem } = this.processor.signer;
      if (file === publishedName) return certificatePem;
      return immutableName.test(file) ? this.certificates.find(file) : undefined;
    }
  }
  return DiscoveryController;
}
