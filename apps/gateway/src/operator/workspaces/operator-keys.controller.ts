import { Body, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { BodyOf, sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { workspaceDecisionOf, type WorkspaceDecision } from '../decisions/decision';
import { OperatorDecision } from '../decisions/decision.dto';
import { expectUnchanged, sendTagged } from '../lists/if-match';
import { CreateKey, RotateKey } from './key.dto';
import { OperatorKeys } from './operator-keys';
import { apiKeyAnswer, madeKeyAnswer } from './workspace-answers';

type KeyPath = Readonly<Record<'ws' | 'key', string>>;

/** The API keys of a workspace. */
@OperatorController(`${OPERATOR_ROOT}/workspaces/:ws/api-keys`)
export class OperatorKeysController {
  constructor(@Inject(OperatorKeys) private readonly keys: OperatorKeys) {}

  @Get()
  @Needs('read')
  async list(@Res() reply: FastifyReply, @Param('ws') ws: string): Promise<void> {
    sendTagged(reply, await this.answer(ws));
  }

  @Post()
  @Needs('administer')
  async create(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('ws') ws: string,
    @Body(new BodyOf(CreateKey)) body: CreateKey,
  ): Promise<void> {
    const made = await this.keys.create(wishOf(http, ws, body), body.scopes, body.expires_in ?? undefined);
    sendAnswer(reply, 201, madeKeyAnswer(made));
  }

  @Post(':key/rotation')
  @Needs('administer')
  async rotate(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() { ws, key }: KeyPath,
    @Body(new BodyOf(RotateKey)) body: RotateKey,
  ): Promise<void> {
    expectUnchanged(http, await this.answer(ws));
    const times = { overlap: body.overlap ?? undefined, expiresIn: body.expires_in ?? undefined };
    const made = await this.keys.rotate(wishOf(http, ws, body), key, times);
    sendAnswer(reply, 201, madeKeyAnswer(made, { key, expiresAt: made.oldExpiresAt }));
  }

  @Post(':key/revocation')
  @Needs('administer')
  async revoke(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() { ws, key }: KeyPath,
    @Body(new BodyOf(OperatorDecision)) body: OperatorDecision,
  ): Promise<void> {
    expectUnchanged(http, await this.answer(ws));
    await this.keys.revoke(wishOf(http, ws, body), key);
    await reply.code(204).send();
  }

  private async answer(ws: string): Promise<object> {
    return { api_keys: (await this.keys.list(ws)).map(apiKeyAnswer) };
  }
}

const wishOf = (http: FastifyRequest, ws: string, { reason }: OperatorDecision): WorkspaceDecision =>
  workspaceDecisionOf(http, ws, { reason, permission: 'administer' });
