import { Body, Controller, HttpCode, Inject, Param, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import {
  badRequest,
  DsrErrorFilter,
  invalid,
  isObject,
  notFound,
  sendAnswer,
  ServiceTokenGuard,
} from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { OwnAnswers } from '../own-answers';
import { QUESTIONS, type ServiceAnswers } from '../service-answers';

/** `POST /internal/operator/v1/{question}`, on the admin listener, for the gateway's API of the operator. */
@Controller('internal/operator/v1')
@UseFilters(DsrErrorFilter)
@UseGuards(ServiceTokenGuard)
export class AnswersController {
  constructor(@Inject(OwnAnswers) private readonly answers: ServiceAnswers) {}

  @Post(':question')
  @HttpCode(200)
  async answer(@Param('question') name: string, @Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    const question = QUESTIONS.find((one) => one === name);
    if (question === undefined) throw notFound();
    if (!isObject(body) || !Object.values(body).every(isPlain))
      throw badRequest([invalid('The question is not valid.')]);
    const answers = this.answers as unknown as Record<string, (of: object) => Promise<unknown>>;
    sendAnswer(reply, 200, await answers[question]?.(body));
  }
}

/** Nothing that a store reads as an operator. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));
