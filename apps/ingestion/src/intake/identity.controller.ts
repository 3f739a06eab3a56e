import { Body, Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import { isDeviceIdentity } from '@opendsr-service/contracts';
import { BodyOf, IngestErrorFilter, mayLoseDecimals, notFound } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyRequest } from 'fastify';
import { rankedIdentities } from '../identities/dialects';
import type { Attributes } from '../profiles/attributes';
import { parseLossless } from '../profiles/lossless';
import { CLOCK, SUBJECTS, type SubjectResolvers } from '../tokens';
import { callerOf } from './caller';
import { identitiesOf } from './check-body';
import { ephemeralAnswer, identityAnswer, type IdentityAnswer } from './identity-answer';
import { IdentityDto } from './identity.dto';
import { attributesJson, IngestPublisher } from './ingest-publisher';
import { erased } from './refusals';

/** Protocol, "Identify endpoint" and "Identity bodies". */
@Controller('v1')
@UseFilters(IngestErrorFilter)
export class IdentityController {
  constructor(
    @Inject(SUBJECTS) private readonly subjects: SubjectResolvers,
    private readonly intake: IngestPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A login is an identify whose identities the subject has just proved. */
  @Post(['identify', 'login'])
  @HttpCode(200)
  identify(@Req() request: FastifyRequest, @Body(new BodyOf(IdentityDto)) body: IdentityDto): Promise<IdentityAnswer> {
    return this.resolve(request, body, 'identify');
  }

  /** Devices alone identify an anonymous subject, never the one who logged out. */
  @Post('logout')
  @HttpCode(200)
  logout(@Req() request: FastifyRequest, @Body(new BodyOf(IdentityDto)) body: IdentityDto): Promise<IdentityAnswer> {
    return this.resolve(request, body, 'identifyAnonymous');
  }

  @Post('search')
  @HttpCode(200)
  async search(
    @Req() request: FastifyRequest,
    @Body(new BodyOf(IdentityDto)) body: IdentityDto,
  ): Promise<IdentityAnswer> {
    const { ws } = callerOf(request);
    const named = identitiesOf(body, this.clock.now());
    const subject = await this.subjects.verified.search(ws, rankedIdentities(named));
    if (!subject) throw notFound('No profile has these identities.');
    return identityAnswer(body.context, named, subject);
  }

  private async resolve(
    request: FastifyRequest,
    body: IdentityDto,
    ofDevices: 'identify' | 'identifyAnonymous',
  ): Promise<IdentityAnswer> {
    const { ws, policy, trust } = callerOf(request);
    const named = identitiesOf(body, this.clock.now());
    const ranked = rankedIdentities(named);
    const verb = ranked.every(({ type }) => isDeviceIdentity(type)) ? ofDevices : 'identify';
    const attributes = body.user_attributes && attributesJson(attributesOf(request, body.user_attributes));
    const subject = await this.subjects[trust][verb](ws, ranked, policy);
    if (typeof subject === 'object' && 'key' in subject && attributes)
      await this.intake.publishAttributes(ws, subject, attributes);
    if (subject === 'rejected') throw erased();
    return subject === 'dropped' ? ephemeralAnswer(body.context) : identityAnswer(body.context, named, subject);
  }
}

/** A valid body is read again if its numbers lost digits. */
function attributesOf({ rawBody }: FastifyRequest, checked: Attributes): Attributes {
  if (!rawBody || !mayLoseDecimals(rawBody)) return checked;
  return (parseLossless(rawBody) as { readonly user_attributes: Attributes }).user_attributes;
}
