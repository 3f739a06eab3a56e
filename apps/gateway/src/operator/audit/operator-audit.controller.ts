import { Get, Inject, Query } from '@nestjs/common';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { cursorOf, placeBehind } from '../lists/cursor';
import { readQuery, type QueryParameters } from '../lists/query-reader';
import type { AuditEntry } from '../../audit/audit-entry';
import { AuditList, type AuditPage, type ExplainedEntry } from './audit-list';

const ORDER = 'audit';

/** Who asked for what, when and why. */
@OperatorController()
export class OperatorAuditController {
  constructor(@Inject(AuditList) private readonly list: AuditList) {}

  @Get('audit')
  @Needs('audit')
  async read(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const query = readQuery(parameters, (reader) => ({
      workspace: reader.text('workspace'),
      by: reader.text('by'),
      action: reader.text('action'),
      from: reader.time('from'),
      to: reader.time('to'),
      ...reader.page(ORDER, placeBehind),
    }));
    return pageAnswer(await this.list.page(operator, query));
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
const objectOf = ({ participant, delivery, record, service, key }: AuditEntry) => ({
  participant: participant ?? null,
  delivery_id: delivery ?? null,
  record: record ?? null,
  service: service ?? null,
  key: key ?? null,
});
