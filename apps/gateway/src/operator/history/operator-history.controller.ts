import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import { BUNDLE_MEDIA_TYPE } from '@opendsr-service/contracts';
import { sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { RequestAttestations } from '../../attestations/request-attestations';
import { requestId } from '../../http/request-id';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { placeBehind } from '../lists/cursor';
import { parsePage, readQuery, type QueryParameters } from '../lists/query-reader';
import { HISTORY_ORDER, historyAnswer, logEntriesAnswer } from './history-answers';
import { LOG_ENTRIES, LogEntries, logPlace } from './log-entries';
import { RequestHistory } from './request-history';
import { RequestStates } from './request-states';

type Path = Readonly<Record<'ws' | 'srid', string>>;

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
  async events(@Param() { ws, srid }: Path, @Query() parameters: QueryParameters): Promise<object> {
    const wanted = parsePage(parameters, HISTORY_ORDER, placeBehind);
    return historyAnswer(await this.history.page(ws, requestId(srid), wanted));
  }

  @Get('services')
  @Needs('read')
  services(@Param() { ws, srid }: Path): Promise<object> {
    return this.states.read(ws, requestId(srid));
  }

  @Get('attestation')
  @Needs('read')
  async attestation(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: Path,
    @Query() parameters: QueryParameters,
  ): Promise<void> {
    const statement = readQuery(parameters, (reader) => reader.word('statement', ['1', '2']));
    const asked = statement === undefined ? undefined : statement === '1' ? 1 : 2;
    const bytes = await this.attestations.bundle(ws, requestId(srid), asked);
    sendJson(reply, 200, bytes, { 'content-type': BUNDLE_MEDIA_TYPE });
  }

  @Get('log-entries')
  @Needs('read')
  async entries(@Param() { ws, srid }: Path, @Query() parameters: QueryParameters): Promise<object> {
    const wanted = parsePage(parameters, LOG_ENTRIES, logPlace);
    return logEntriesAnswer(await this.logEntries.page(ws, requestId(srid), wanted));
  }
}
