import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import { BUNDLE_MEDIA_TYPE } from '@opendsr-service/contracts';
import { sendAnswer, sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { RequestAttestations } from '../../attestations/request-attestations';
import { requestId } from '../../http/request-id';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { parsePage } from '../lists/parse-page';
import { placeBehind } from '../lists/cursor';
import { QueryReader } from '../lists/query-reader';
import { HISTORY_ORDER, historyAnswer, logEntriesAnswer } from './history-answers';
import { LOG_ENTRIES, LogEntries, logPlace } from './log-entries';
import { RequestHistory } from './request-history';
import { RequestStates } from './request-states';

type Path = Readonly<Record<'ws' | 'srid', string>>;
type Parameters = Readonly<Record<string, unknown>>;

/** What happened to a request, and what proves it. */
@OperatorController(`${OPERATOR_ROOT}/requests/:ws/:srid`)
export class OperatorHistoryController {
  constructor(
    @Inject(RequestHistory) private readonly history: RequestHistory,
    @Inject(RequestAttestations) private readonly attestations: RequestAttestations,
    @Inject(LogEntries) private readonly logEntries: LogEntries,
    @Inject(RequestStates) private readonly states: RequestStates,
  ) {}

  @Get('events')
  @Needs('read')
  async events(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: Path,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const reader = new QueryReader(parameters, ['limit', 'cursor']);
    const page = { limit: reader.limit(), after: reader.place(HISTORY_ORDER, placeBehind) };
    reader.end();
    sendAnswer(reply, 200, historyAnswer(await this.history.page(ws, requestId(srid), page)));
  }

  @Get('services')
  @Needs('read')
  async services(@Res() reply: FastifyReply, @Param() { ws, srid }: Path): Promise<void> {
    sendAnswer(reply, 200, await this.states.read(ws, requestId(srid)));
  }

  @Get('attestation')
  @Needs('read')
  async attestation(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: Path,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const reader = new QueryReader(parameters, ['statement']);
    const statement = reader.word('statement', ['1', '2']);
    reader.end();
    const asked = statement === undefined ? undefined : statement === '1' ? 1 : 2;
    const bytes = await this.attestations.bundle(ws, requestId(srid), asked);
    sendJson(reply, 200, bytes, { 'content-type': BUNDLE_MEDIA_TYPE });
  }

  @Get('log-entries')
  @Needs('read')
  async entries(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: Path,
    @Query() parameters: Parameters,
  ): Promise<void> {
    const wanted = parsePage(parameters, LOG_ENTRIES, logPlace);
    sendAnswer(reply, 200, logEntriesAnswer(await this.logEntries.page(ws, requestId(srid), wanted)));
  }
}
