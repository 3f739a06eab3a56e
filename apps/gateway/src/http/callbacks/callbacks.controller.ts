import { Controller, Get, Inject, Param, Post, Req, Res, UseFilters, type Type } from '@nestjs/common';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { DsrErrorFilter } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignatureCache } from '../answers/signature-cache';
import type { ServedVersion } from '../../versions/served-version';
import { bytesOf, sendSigned, signAnswer } from '../answers/signed-answer';
import { callerOf } from '../caller';
import { requestId } from '../request-id';
import { requestsPath } from '../../versions/routes';
import { SERVED_VERSIONS } from '../tokens';
import { callbackAnswer, callbacksAnswer } from './callback-answers';
import { RequestCallbacks } from '../../callbacks/request-callbacks';

/** An addition to the interface. */
export function callbacksController(version: ProtocolVersion): Type {
  @Controller(`${requestsPath(version)}/:srid/callbacks`)
  @UseFilters(DsrErrorFilter)
  class CallbacksController {
    private readonly served: ServedVersion;

    constructor(
      @Inject(RequestCallbacks) private readonly callbacks: RequestCallbacks,
      @Inject(SignatureCache) private readonly signatures: SignatureCache,
      @Inject(SERVED_VERSIONS) servedVersions: ReadonlyMap<string, ServedVersion>,
    ) {
      this.served = servedVersions.get(version.apiVersion) as ServedVersion;
    }

    @Get()
    async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const { id, callbacks } = await this.callbacks.list(callerOf(http).ws, requestId(srid));
      sendSigned(reply, 200, await this.signatures.answer(this.served, bytesOf(callbacksAnswer(id, callbacks))));
    }

    @Post(':delivery/replay')
    async replay(
      @Req() http: FastifyRequest,
      @Res() reply: FastifyReply,
      @Param() { srid, delivery }: Readonly<Record<'srid' | 'delivery', string>>,
    ): Promise<void> {
      const replayed = await this.callbacks.replay(callerOf(http).ws, requestId(srid), requestId(delivery));
      sendSigned(reply, 202, await signAnswer(this.served, callbackAnswer(replayed)));
    }
  }
  return CallbacksController;
}
