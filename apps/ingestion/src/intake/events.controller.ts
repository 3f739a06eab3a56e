import { Body, Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import { BodyOf, IngestErrorFilter } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/runtime';
import type { FastifyRequest } from 'fastify';
import { rankedIdentities } from '../identities/dialects';
import type { FindsSubjects } from '../identities/subject';
import { CLOCK, SUBJECTS } from '../tokens';
import { identitiesOf } from './check-body';
import { callerOf } from './caller';
import { EventsDto } from './events.dto';
import { Intake, orUnavailable } from './intake';

/** `POST /v2/events` (interface.md, "Related ingestion endpoints"): 202 once the log has acknowledged the batch. */
@Controller('v2')
@UseFilters(IngestErrorFilter)
export class EventsController {
  constructor(
    @Inject(SUBJECTS) private readonly subjects: FindsSubjects,
    private readonly intake: Intake,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('events')
  @HttpCode(202)
  async receive(@Req() request: FastifyRequest, @Body(new BodyOf(EventsDto)) body: EventsDto): Promise<void> {
    const ws = callerOf(request);
    const ranked = rankedIdentities(identitiesOf(body, this.clock.now()));
    await orUnavailable(async () => {
      const subject = await this.subjects.identify(ws, ranked);
      await this.intake.batch(ws, subject, request.rawBody ?? Buffer.from('{}'));
    });
  }
}
