import { Controller, Get, Inject, Param, Res, UseFilters, type Type } from '@nestjs/common';
import { DISCOVERY_IDENTITIES, REQUEST_TYPES, type ProtocolVersion, type Shape } from '@opendsr-service/contracts';
import { DsrErrorFilter, notFound, sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { Processor } from '../answers/processor';
import type { DISCOVERY_RECORD } from '../answers/receipt-schemas';
import { PROCESSORS } from '../tokens';

const DISCOVERY_MAX_AGE_SECONDS = 300;

/** What the service can do, for anybody who asks (interface.md, "Discovery record"). */
export const discoveryRecord = (processor: Processor): Shape<typeof DISCOVERY_RECORD> => ({
  api_version: processor.version.apiVersion,
  supported_identities: DISCOVERY_IDENTITIES.map((identity_type) => ({ identity_type, identity_format: 'raw' })),
  supported_subject_request_types: [...REQUEST_TYPES].sort(),
  processor_certificate: processor.certificateUrl,
});

/** Discovery and the certificate of one version. Neither needs credentials, both tolerate them. */
export function discoveryController(version: ProtocolVersion): Type {
  @Controller(version.root)
  @UseFilters(DsrErrorFilter)
  class DiscoveryController {
    private readonly processor: Processor;
    private readonly record: Buffer;

    constructor(@Inject(PROCESSORS) processors: ReadonlyMap<string, Processor>) {
      this.processor = processors.get(version.apiVersion) as Processor;
      this.record = Buffer.from(JSON.stringify(discoveryRecord(this.processor)));
    }

    @Get('discovery')
    discover(@Res() reply: FastifyReply): void {
      sendJson(reply, 200, this.record, { 'cache-control': `public, max-age=${DISCOVERY_MAX_AGE_SECONDS}` });
    }

    @Get('certificates/:file')
    certificate(@Res() reply: FastifyReply, @Param('file') file: string): void {
      if (file !== version.certificateFile) throw notFound();
      void reply.header('content-type', 'application/x-pem-file').header('cache-control', `public, max-age=${DISCOVERY_MAX_AGE_SECONDS}`).send(this.processor.signer.certificatePem);
    }
  }
  return DiscoveryController;
}
