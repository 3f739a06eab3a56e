import { Controller, Delete, Get, Inject, Param, Post, Query, Req, Res, UseFilters, type Type } from '@nestjs/common';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { badRequest, DsrErrorFilter, invalid, notFound } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/runtime';
import { LinkKeys } from '@opendsr-service/vault';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Processor } from '../answers/processor';
import { cancellationReceipt, creationReceipt, statusRecord } from '../answers/receipts';
import { resultsUrl } from '../answers/results-url';
import { sendSigned } from '../answers/signed-answer';
import { callerOf } from '../caller/caller';
import { readIntake, type IntakeRules } from '../intake/intake';
import { CLOCK, INTAKE_RULES, PROCESSORS } from '../tokens';
import { Admissions } from './admissions';
import type { RequestDocument } from './request.document';
import { RequestsStore } from './requests.store';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_GROUP_ID_LENGTH = 256;

/** The request resource of one version of the protocol (interface.md, "Endpoints"). */
export function requestsController(version: ProtocolVersion): Type {
  @Controller(`${version.root}/${version.requestsRoute}`)
  @UseFilters(DsrErrorFilter)
  class RequestsController {
    private readonly processor: Processor;

    constructor(
      @Inject(Admissions) private readonly admissions: Admissions,
      @Inject(RequestsStore) private readonly store: RequestsStore,
      @Inject(LinkKeys) private readonly linkKeys: LinkKeys,
      @Inject(PROCESSORS) processors: ReadonlyMap<string, Processor>,
      @Inject(INTAKE_RULES) private readonly rules: Pick<IntakeRules, 'callbackUrlFault'>,
      @Inject(CLOCK) private readonly clock: Clock,
    ) {
      this.processor = processors.get(version.apiVersion) as Processor;
    }

    @Post()
    async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const intake = readIntake(http.body, { version, extensionKey: this.processor.domain, callbackUrlFault: this.rules.callbackUrlFault });
      const request = await this.admissions.create(callerOf(http), intake, this.processor);
      await sendSigned(reply, this.processor, 201, creationReceipt(request, http.rawBody as Buffer));
    }

    @Get(':srid')
    async read(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const request = await this.store.find(callerOf(http).ws, requestId(srid));
      if (!request) throw notFound();
      await sendSigned(reply, this.processor, 200, await this.record(request));
    }

    @Get()
    async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query('group_id') groupId: unknown): Promise<void> {
      if (typeof groupId !== 'string' || groupId === '' || groupId.length > MAX_GROUP_ID_LENGTH) {
        throw badRequest([invalid(`group_id must be given once, with 1 to ${MAX_GROUP_ID_LENGTH} characters`)]);
      }
      const requests = await this.store.findGroup(callerOf(http).ws, groupId);
      await sendSigned(reply, this.processor, 200, await Promise.all(requests.map((request) => this.record(request))));
    }

    @Delete(':srid')
    async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const receivedAt = this.clock.now();
      const request = await this.admissions.cancel(callerOf(http).ws, requestId(srid), receivedAt);
      await sendSigned(reply, this.processor, 202, cancellationReceipt(request, receivedAt));
    }

    private async record(request: RequestDocument) {
      return statusRecord(request, await resultsUrl(request, this.processor, this.linkKeys));
    }
  }
  return RequestsController;
}

/** The id as it is stored. What cannot be an id is unknown like any other. */
function requestId(raw: string): string {
  const id = raw.toLowerCase();
  if (!UUID.test(id)) throw notFound();
  return id;
}
