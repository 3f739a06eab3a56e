import { Controller, Get, Inject, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { badRequest, invalid, ProblemErrorFilter, sendAnswer } from '@opendsr-service/edge';
import { Needs, OPERATOR_ROOT, OperatorGuard } from '@opendsr-service/gateway';
import type { FastifyReply } from 'fastify';
import { CallbackBox } from './callback-box';

export const FIRST_RUN = Symbol('first run');

/** What the console needs to act as a controller of the sandbox. */
export interface FirstRun {
  readonly key: string;
  readonly secret: string;
  readonly callbackUrl: string;
}

/** Lets the console of a sandbox act as a controller: with its credentials, and a receiver of its callbacks. */
@Controller(`${OPERATOR_ROOT}/sandbox`)
@UseGuards(OperatorGuard)
@UseFilters(ProblemErrorFilter)
export class FirstRunController {
  constructor(
    @Inject(FIRST_RUN) private readonly firstRun: FirstRun,
    @Inject(CallbackBox) private readonly box: CallbackBox,
  ) {}

  /** With the secret of the sandbox, which could show whom its requests are about. */
  @Get()
  @Needs('reveal')
  read(@Res() reply: FastifyReply): void {
    const { key, secret, callbackUrl } = this.firstRun;
    sendAnswer(reply, 200, { key, secret, callback_url: callbackUrl });
  }

  @Get('callbacks')
  @Needs('reveal')
  callbacks(@Res() reply: FastifyReply, @Query('after') after = '0'): void {
    if (!/^\d{1,9}$/.test(after)) throw badRequest([invalid('after must be a whole number.')]);
    const callbacks = this.box.after(Number(after)).map(({ number, at, headers, body }) => ({
      ...{ number, time: at.toISOString(), headers },
      body: body.toString('base64'),
    }));
    sendAnswer(reply, 200, { callbacks });
  }
}
