import { Get, Inject, Param, Query } from '@nestjs/common';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { parsePage, type QueryParameters } from '../lists/query-reader';
import { textCursor } from '../lists/cursor';
import { OperatorWorkspaces } from './operator-workspaces';
import { participantAnswer, workspaceAnswer, workspaceDetail } from './workspace-answers';

/** The limits of the calls of a workspace, by name; 0 is none. */
export const WORKSPACE_LIMITS = Symbol('limits of a workspace');

/** Workspaces and their participants. */
@OperatorController()
export class OperatorWorkspacesController {
  constructor(
    @Inject(OperatorWorkspaces) private readonly workspaces: OperatorWorkspaces,
    @Inject(WORKSPACE_LIMITS) private readonly limits: Readonly<Record<string, number>>,
  ) {}

  @Get('workspaces')
  @Needs('read')
  async list(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const { limit, after } = parsePage(parameters, 'workspaces', ([ws]) => ws);
    const { items, last } = await this.workspaces.list(operator, limit, after);
    const next = last === undefined ? null : textCursor('workspaces', last);
    return { workspaces: items.map(workspaceAnswer), next_cursor: next };
  }

  @Get('workspaces/:ws')
  @Needs('read')
  async read(@Param('ws') ws: string): Promise<object> {
    return workspaceDetail(await this.workspaces.read(ws), this.limits);
  }

  @Get('workspaces/:ws/participants')
  @Needs('read')
  async participantsOf(@Param('ws') ws: string): Promise<object> {
    const found = await this.workspaces.participantsOf(ws);
    return { participants: found.map(participantAnswer), next_cursor: null };
  }

  @Get('participants')
  @Needs('read')
  async participants(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const { limit, after } = parsePage(parameters, 'participants', ([ws, name]) =>
      ws === undefined || name === undefined ? undefined : { ws, name },
    );
    const { items, last } = await this.workspaces.allParticipants(operator, limit, after);
    const next = last ? textCursor('participants', last.ws, last.name) : null;
    return { participants: items.map(participantAnswer), next_cursor: next };
  }
}
