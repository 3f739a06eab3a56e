import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters, type Type } from '@nestjs/common';
import { BUNDLE_MEDIA_TYPE, ENVELOPE_MEDIA_TYPE, type ProtocolVersion } from '@opendsr-service/contracts';
import { badRequest, DsrErrorFilter, invalid } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestAttestations, type AskedStatement } from '../../attestations/request-attestations';
import type { ServedVersion } from '../../versions/served-version';
import { requestsPath } from '../../versions/routes';
import { SignatureCache } from '../answers/signature-cache';
import { sendUnlessKnown } from '../answers/signed-answer';
import { callerOf } from '../caller';
import { requestId } from '../request-id';
import { SERVED_VERSIONS } from '../tokens';

/** An addition to the interface. */
export function attestationsController(version: ProtocolVersion): Type {
  @Controller(`${requestsPath(version)}/:srid/attestation`)
  @UseFilters(DsrErrorFilter)
  class AttestationsController {
    private readonly served: ServedVersion;

    constructor(
      @Inject(RequestAttestations) private readonly attestations: RequestAttestations,
      @Inject(SignatureCache) private readonly signatures: SignatureCache,
      @Inject(SERVED_VERSIONS) servedVersions: ReadonlyMap<string, ServedVersion>,
    ) {
      this.served = servedVersions.get(version.apiVersion) as ServedVersion;
    }

    @Get()
    async read(
      @Req() http: FastifyRequest,
      @Res() reply: FastifyReply,
      @Param('srid') srid: string,
      @Query('statement') statement: unknown,
    ): Promise<void> {
      const bytes = await this.attestations.envelope(callerOf(http).ws, requestId(srid), asked(statement));
      await this.send(http, reply, bytes, ENVELOPE_MEDIA_TYPE);
    }

    @Get('bundle')
    async bundle(
      @Req() http: FastifyRequest,
      @Res() reply: FastifyReply,
      @Param('srid') srid: string,
      @Query('statement') statement: unknown,
    ): Promise<void> {
      const bytes = await this.attestations.bundle(callerOf(http).ws, requestId(srid), asked(statement));
      await this.send(http, reply, bytes, BUNDLE_MEDIA_TYPE);
    }

    /** Signed like every answer about a request, beside the signature inside. */
    private send(http: FastifyRequest, reply: FastifyReply, bytes: Buffer, type: string): Promise<void> {
      return sendUnlessKnown(http, reply, bytes, async () => {
        const { headers } = await this.signatures.answer(this.served, bytes);
        return { bytes, headers: { ...headers, 'content-type': type } };
      });
    }
  }
  return AttestationsController;
}

function asked(statement: unknown): AskedStatement {
  if (statement === undefined) return undefined;
  if (statement === '1') return 1;
  if (statement === '2') return 2;
  throw badRequest([invalid('statement must be 1 or 2')]);
}
