import { Body, Controller, HttpCode, Inject, Param, Post, Req, UseFilters } from '@nestjs/common';
import { parseMpid } from '@opendsr-service/contracts';
import { BodyOf, IngestErrorFilter, notFound } from '@opendsr-service/edge';
import type { FastifyRequest } from 'fastify';
import type { FindsSubjects, Modified } from '../identities/subject';
import { SUBJECTS } from '../tokens';
import { callerOf } from './caller';
import { readChanges, refusedChanges } from './read-changes';
import { ModifyDto } from './modify.dto';
import { orUnavailable } from './or-unavailable';
import { erased } from './refusals';

/** `POST /v1/{mpid}/modify` (protocol-notes, "Identity answer"): all changes of a profile's identities, or none. */
@Controller('v1')
@UseFilters(IngestErrorFilter)
export class ModifyController {
  constructor(@Inject(SUBJECTS) private readonly subjects: FindsSubjects) {}

  // Integers alone: version 1 of the DSR interface has paths of this shape too.
  @Post(':mpid(^-?\\d+$)/modify')
  @HttpCode(200)
  async modify(@Req() request: FastifyRequest, @Param('mpid') given: string, @Body(new BodyOf(ModifyDto)) body: ModifyDto) {
    const { ws, policy } = callerOf(request);
    const changes = readChanges(body.identity_changes);
    const mpid = parseMpid(given);
    const modified = mpid === undefined ? 'unknown-profile' : await orUnavailable(() => this.subjects.modify(ws, mpid, changes, policy));
    refuseUnlessDone(modified);
    return { change_results: body.identity_changes.map(({ identity_type }) => ({ identity_type, modified_mpid: mpid })) };
  }
}

function refuseUnlessDone(modified: Modified): void {
  if (modified === 'rejected') throw erased();
  if (modified === 'unknown-profile') throw notFound('This mpid is that of no profile.');
  if (modified !== 'done') throw refusedChanges(modified.refused);
}
