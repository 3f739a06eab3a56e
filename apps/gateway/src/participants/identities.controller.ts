import { Controller, Get, Inject, Param, Req, Res, UseFilters } from '@nestjs/common';
import { DsrErrorFilter, sendAnswer } from '@opendsr-service/edge';
import { parseBasic } from '@opendsr-service/workspaces';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId } from '../http/request-id';
import { SharedIdentities } from './shared-identities';

/** On the admin listener, for outside participants with their own secret (decision 8). */
@Controller('internal/requests')
@UseFilters(DsrErrorFilter)
export class IdentitiesController {
  constructor(@Inject(SharedIdentities) private readonly shared: SharedIdentities) {}

  @Get(':ws/:srid/identities')
  async read(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: { ws: string; srid: string },
  ): Promise<void> {
    const credentials = parseBasic(http.headers.authorization);
    const { type, identities } = await this.shared.readFor({
      ws,
      srid: requestId(srid),
      credentials,
      requestId: http.id,
    });
    const answer = {
      subject_request_id: requestId(srid),
      subject_request_type: type,
      identities: identities.map((identity) => ({ identity_type: identity.type, identity_value: identity.value })),
    };
    sendAnswer(reply, 200, answer);
  }
}
