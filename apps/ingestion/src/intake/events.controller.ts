import { Body, Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import { IngestErrorFilter, type Fault } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyRequest } from 'fastify';
import { CLOCK } from '../tokens';
import { readBatch } from './batch';
import { BatchIntake, type BatchResult } from './batch-intake';
import { checkBulk, elementPath, someRefused, type BatchVerdict } from './bulk';
import { callerOf } from './caller';
import { erased, erasedFault, profileFull, profileFullFault, unknownMpid, unknownMpidFault } from './refusals';
import { INTAKE_RULES, type IntakeRules } from './rules';

/** Protocol, "Events endpoint". 202 after the log has acknowledged the batches. */
@Controller('v2')
@UseFilters(IngestErrorFilter)
export class EventsController {
  constructor(
    private readonly intake: BatchIntake,
    @Inject(INTAKE_RULES) private readonly rules: IntakeRules,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('events')
  @HttpCode(202)
  async receive(@Req() request: FastifyRequest, @Body() json: unknown): Promise<void> {
    const caller = callerOf(request);
    const batch = readBatch({ json, body: bytesOf(request), at: '' }, this.rules, this.clock.now());
    const [taken] = await this.intake.acceptBatches(caller, [batch]);
    if (taken === 'rejected') throw erased();
    if (taken === 'unknown') throw unknownMpid();
    if (taken === 'full') throw profileFull();
  }

  /** Valid batches are taken even if others are not. A 400 names the others. */
  @Post('bulkevents')
  @HttpCode(202)
  async receiveBulk(@Req() request: FastifyRequest, @Body() json: unknown): Promise<void> {
    const caller = callerOf(request);
    const checked = checkBulk(json, bytesOf(request), this.rules, this.clock.now());
    const valid = checked.flatMap((one) => ('faults' in one ? [] : one));
    const taken = await this.intake.acceptBatches(caller, valid);
    const refused = refusedOf(checked, taken);
    if (refused.length > 0) throw someRefused(refused, taken.filter((one) => one === 'taken').length);
  }
}

const bytesOf = (request: FastifyRequest): Buffer => request.rawBody ?? Buffer.alloc(0);

/** The faults of each refused batch. `taken` has an entry for each valid batch. */
function refusedOf(checked: readonly BatchVerdict[], taken: readonly BatchResult[]): (readonly Fault[])[] {
  const outcomes = taken.values();
  return checked.flatMap((one, index) => {
    if ('faults' in one) return [one.faults];
    const outcome = outcomes.next().value;
    if (outcome === 'rejected') return [[erasedFault(elementPath(index))]];
    if (outcome === 'full') return [[profileFullFault(elementPath(index))]];
    return outcome === 'unknown' ? [[unknownMpidFault(elementPath(index))]] : [];
  });
}
