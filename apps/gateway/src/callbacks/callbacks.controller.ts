import { Controller, Get, Inject, Param, Post, Req, Res, UseFilters, type Type } from '@nestjs/common';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { DsrErrorFilter } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeptSignatures } from '../answers/kept-signatures';
import type { Processor } from '../answers/processor';
import { sendSigned, signAnswer } from '../answers/signed-answer';
import { callerOf } from '../caller/caller';
import { requestId } from '../requests/request-id';
import { requestsPath } from '../routes';
import { PROCESSORS } from '../tokens';
import { callbackAnswer, callbacksAnswer } from './callback-answers';
import { Callbacks } from './callbacks';

/** The callbacks of a request under one version of the protocol: an addition of ours. */
export function callbacksController(version: ProtocolVersion): Type {
  @Controller(`${requestsPath(version)}/:srid/callbacks`)
  @UseFilters(DsrErrorFilter)
  class CallbacksController {
    private readonly processor: Processor;

    constructor(
      @Inject(Callbacks) private readonly callbacks: Callbacks,
      @Inject(KeptSignatures) private readonly signatures: KeptSignatures,
      @Inject(PROCESSORS) processors: ReadonlyMap<string, Processor>,
    ) {
      this.processor = processors.get(version.apiVersion) as Processor;
    }

    @Get()
    async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const { id, callbacks } = await this.callbacks.of(callerOf(http).ws, requestId(srid));
      sendSigned(
        reply,
        200,
        await signAnswer(this.processor, callbacksAnswer(id, callbacks), (bytes) =>
          this.signatures.of(this.processor.signer, bytes),
        ),
      );
    }

    @Post(':delivery/replay')
    async replay(
      @Req() http: FastifyRequest,
      @Res() reply: FastifyReply,
      @Param() { srid, delivery }: Readonly<Record<'srid' | 'delivery', string>>,
    ): Promise<void> {
      const replayed = await this.callbacks.replay(callerOf(http).ws, requestId(srid), requestId(delivery));
      sendSigned(reply, 202, await signAnswer(this.processor, callbackAnswer(replayed)));
    }
  }
  return CallbacksController;
}
