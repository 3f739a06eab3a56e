import { Body, Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import { isDeviceIdentity } from '@opendsr-service/contracts';
import { BodyOf, IngestErrorFilter } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/runtime';
import type { FastifyRequest } from 'fastify';
import { rankedIdentities } from '../identities/dialects';
import type { FindsSubjects } from '../identities/subject';
import { CLOCK, SUBJECTS } from '../tokens';
import { identitiesOf } from './check-body';
import { callerOf } from './caller';
import { IdentifyDto } from './identify.dto';
import { Intake, orUnavailable } from './intake';

/** `POST /v1/identify` (interface.md, "Related ingestion endpoints"): answers at once with the profile of these identities. */
@Controller('v1')
@UseFilters(IngestErrorFilter)
export class IdentifyController {
  constructor(
    @Inject(SUBJECTS) private readonly subjects: FindsSubjects,
    private readonly intake: Intake,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('identify')
  @HttpCode(200)
  async identify(@Req() request: FastifyRequest, @Body(new BodyOf(IdentifyDto)) body: IdentifyDto) {
    const ws = callerOf(request);
    const named = identitiesOf(body, this.clock.now());
    const subject = await orUnavailable(async () => {
      const found = await this.subjects.identify(ws, rankedIdentities(named));
      if (body.user_attributes) await this.intake.attributes(ws, found, body.user_attributes);
      return found;
    });
    const matched = named.filter(({ identity }) => subject.owned.some((own) => own.type === identity.type && own.value === identity.value));
    return {
      context: body.context ?? null,
      mpid: subject.mpid,
      matched_identities: Object.fromEntries(matched.map(({ name, identity }) => [name, identity.value])),
      is_ephemeral: false,
      is_logged_in: matched.some(({ identity }) => !isDeviceIdentity(identity.type)),
    };
  }
}
