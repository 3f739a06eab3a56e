import { Body, Controller, HttpCode, Inject, Param, Post, Req, UseFilters } from '@nestjs/common';
import { parseMpid, type Shape } from '@opendsr-service/contracts';
import { BodyOf, IngestErrorFilter, notFound, type ApiError } from '@opendsr-service/edge';
import type { FastifyRequest } from 'fastify';
import type { Modified } from '../identities/subject';
import { SUBJECTS, type SubjectResolvers } from '../tokens';
import type { CHANGE_RESULTS } from './answer-schemas';
import { callerOf } from './caller';
import { readChanges, refusedChanges } from './read-changes';
import { ModifyDto } from './modify.dto';
import { erased } from './refusals';

/** `POST /v1/{mpid}/modify` (protocol, "Identity answer"). */
@Controller('v1')
@UseFilters(IngestErrorFilter)
export class ModifyController {
  constructor(@Inject(SUBJECTS) private readonly subjects: SubjectResolvers) {}

  // Integers only: version 1 of the DSR interface has paths of the same form.
  @Post(':mpid(^-?\\d+$)/modify')
  @HttpCode(200)
  async modify(
    @Req() request: FastifyRequest,
    @Param('mpid') given: string,
    @Body(new BodyOf(ModifyDto)) body: ModifyDto,
  ): Promise<Shape<typeof CHANGE_RESULTS>> {
    const { ws, policy, trust } = callerOf(request);
    const changes = readChanges(body.identity_changes);
    const mpid = parseMpid(given);
    if (mpid === undefined) throw unknownProfile();
    refuseUnlessDone(await this.subjects[trust].modify(ws, mpid, changes, policy));
    return {
      change_results: body.identity_changes.map(({ identity_type }) => ({ identity_type, modified_mpid: mpid })),
    };
  }
}

const unknownProfile = (): ApiError => notFound('No profile has this mpid.');

function refuseUnlessDone(modified: Modified): void {
  if (modified === 'rejected') throw erased();
  if (modified === 'unknown-profile') throw unknownProfile();
  if (modified !== 'done') throw refusedChanges(modified.refused);
}
