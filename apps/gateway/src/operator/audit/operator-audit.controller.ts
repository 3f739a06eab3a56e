import { Get, Inject, Query, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { cursorOf, placeBehind } from '../lists/cursor';
import { QueryReader } from '../lists/query-reader';
import type { AuditedEntry } from '../../participants/operator-audit.store';
import { AuditList, type AuditPage, type ExplainedEntry } from './audit-list';

const ORDER = 'audit';
const NAMES = ['workspace', 'by', 'action', 'from', 'to', 'limit', 'cursor'];

/** Who asked for what, when and why. */
@OperatorController()
export class OperatorAuditController {
  constructor(@Inject(AuditList) private readonly list: AuditList) {}

  @Get('audit')
  @Needs('audit')
  async read(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const reader = new QueryReader(parameters, NAMES);
    const query = {
      ...{ workspace: reader.text('workspace'), by: reader.text('by'), action: reader.text('action') },
      ...{
        from: reader.time('from'),
        to: reader.time('to'),
        limit: reader.limit(),
        after: reader.place(ORDER, placeBehind),
      },
    };
    reader.end();
    const answer = pageAnswer(await this.list.page(operatorOf(http), query));
    sendAnswer(reply, 200, answer);
  }
}

const pageAnswer = ({ entries, next }: AuditPage) => ({
  entries: entries.map(entryAnswer),
  next_cursor: next ? cursorOf(ORDER, next) : null,
});

const entryAnswer = ({ entry, reason }: ExplainedEntry) => ({
  ...{ id: entry._id, time: entry.at.toISOString(), action: entry.action, reason },
  by: entry.by ?? null,
  role: entry.role ?? null,
  workspace: entry.ws === '' ? null : entry.ws,
  subject_request_id: entry.srid === '' ? null : entry.srid,
  ...objectOf(entry),
  approved_by: entry.approvedBy ?? null,
});

/** What it was about, beside a request. */
const objectOf = ({ participant, delivery, record, service, key }: AuditedEntry) => ({
  participant: participant ?? null,
  delivery_id: delivery ?? null,
  record: record ?? null,
  service: service ?? null,
  key: key ?? null,
});
