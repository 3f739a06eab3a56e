import { Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { parsePage } from '../lists/parse-page';
import { textCursor } from '../lists/cursor';
import { OperatorWorkspaces } from './operator-workspaces';
import { participantAnswer, workspaceAnswer, workspaceDetail } from './workspace-answers';

/** The limits of the calls of a workspace, by name; 0 is none. */
export const WORKSPACE_LIMITS = Symbol('limits of a workspace');

type Parameters = Readonly<Record<string, unknown>>;

/** Workspaces and their participants. */
@OperatorController()
export class OperatorWorkspacesController {
  constructor(
    @Inject(OperatorWorkspaces) private readonly workspaces: OperatorWorkspaces,
    @Inject(WORKSPACE_LIMITS) private readonly limits: Readonly<Record<string, number>>,
  ) {}

  @Get('workspaces')
  @Needs('read')
  async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query() parameters: Parameters): Promise<void> {
    const { limit, after } = parsePage(parameters, 'workspaces', ([ws]) => ws);
    const { items, last } = await this.workspaces.list(operatorOf(http), limit, after);
    const next = last === undefined ? null : textCursor('workspaces', last);
    sendAnswer(reply, 200, { workspaces: items.map(workspaceAnswer), next_cursor: next });
  }

  @Get('workspaces/:ws')
  @Needs('read')
  async read(@Res() reply: FastifyReply, @Param('ws') ws: string): Promise<void> {
    sendAnswer(reply, 200, workspaceDetail(await this.workspaces.read(ws), this.limits));
  }

  @Get('workspaces/:ws/participants')
  @Needs('read')
  async participantsOf(@Res() reply: FastifyReply, @Param('ws') ws: string): Promise<void> {
    const found = await this.workspaces.participantsOf(ws);
    sendAnswer(reply, 200, { participants: found.map(participantAnswer), next_cursor: null });
  }

  @Get('participants')
  @Needs('read')
  async participants(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const { limit, after } = parsePage(parameters, 'participants', ([ws, name]) =>
      ws === undefined || name === undefined ? undefined : { ws, name },
    );
    const { items, last } = await this.workspaces.allParticipants(operatorOf(http), limit, after);
    const next = last ? textCursor('participants', last.ws, last.name) : null;
    sendAnswer(reply, 200, { participants: items.map(participantAnswer), next_cursor: next });
  }
}
