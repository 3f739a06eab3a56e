import { Controller, Delete, Get, Inject, Param, Post, Query, Req, Res, UseFilters, type Type } from '@nestjs/common';
import { isText, type ProtocolVersion } from '@opendsr-service/contracts';
import { badRequest, DsrErrorFilter, invalid, notFound } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedVersion } from '../../versions/served-version';
import { cancellationReceipt, creationReceipt } from '../answers/receipts';
import { sendSigned, sendUnlessKnown, signAnswer, withSignature, type SignedAnswer } from '../answers/signed-answer';
import { StatusRecords } from '../answers/status-records';
import { callerOf } from '../caller';
import { MAX_GROUP_ID_CHARS } from '../../intake/create-request.dto';
import { readIntake, type IntakeRules } from '../../intake/intake';
import { checkCallbackHosts } from '../../intake/callback-hosts';
import type { CreateRules } from '../../intake/create-rules.config';
import { requestsPath } from '../../versions/routes';
import { INTAKE_RULES, SERVED_VERSIONS } from '../tokens';
import { Admissions } from '../../admission/admissions';
import { requestId } from '../request-id';

/** See protocol, "Endpoints". */
export function requestsController(version: ProtocolVersion): Type {
  @Controller(requestsPath(version))
  @UseFilters(DsrErrorFilter)
  class RequestsController {
    private readonly served: ServedVersion;
    private readonly intakeRules: IntakeRules;

    constructor(
      @Inject(Admissions) private readonly admissions: Admissions,
      @Inject(StatusRecords) private readonly records: StatusRecords,
      @Inject(INTAKE_RULES) private readonly rules: CreateRules,
      @Inject(SERVED_VERSIONS) servedVersions: ReadonlyMap<string, ServedVersion>,
    ) {
      this.served = servedVersions.get(version.apiVersion) as ServedVersion;
      const otherKeys = [...servedVersions.values()]
        .filter((other) => other !== this.served)
        .map(({ domain }) => domain);
      this.intakeRules = {
        version,
        extensionKey: this.served.domain,
        otherKeys,
        callbackUrlFault: rules.callbackUrlFault,
        limits: rules.limits,
      };
    }

    @Post()
    async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const intake = readIntake(http.body, this.intakeRules);
      await checkCallbackHosts(http.body, this.rules.refusesNames);
      let receipt: SignedAnswer | undefined;
      const request = await this.admissions.create(callerOf(http), intake, this.served, async (facts) => {
        receipt = await signAnswer(this.served, creationReceipt(facts, http.rawBody as Buffer));
        return withSignature(receipt, version);
      });
      await this.admissions.publishCommands(request);
      sendSigned(reply, 201, receipt as SignedAnswer);
    }

    @Get(':srid')
    async read(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const request = await this.admissions.find(callerOf(http).ws, requestId(srid));
      if (!request) throw notFound();
      const record = await this.records.record(request, this.served);
      await sendUnlessKnown(http, reply, record, (bytes) => this.records.sign(bytes, this.served));
    }

    @Get()
    async list(
      @Req() http: FastifyRequest,
      @Res() reply: FastifyReply,
      @Query('group_id') groupId: unknown,
    ): Promise<void> {
      if (!isText(groupId, 1, MAX_GROUP_ID_CHARS))
        throw badRequest([invalid(`group_id must be given once, with 1 to ${MAX_GROUP_ID_CHARS} characters`)]);
      const requests = await this.admissions.findGroup(callerOf(http).ws, groupId);
      sendSigned(reply, 200, await this.records.signedList(requests, groupId, this.served));
    }

    @Delete(':srid')
    async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('srid') srid: string): Promise<void> {
      const request = await this.admissions.cancel(callerOf(http).ws, requestId(srid));
      const [answer] = await Promise.all([
        signAnswer(this.served, cancellationReceipt(request)),
        this.admissions.publishCommands(request),
      ]);
      sendSigned(reply, 202, answer);
    }
  }
  return RequestsController;
}
