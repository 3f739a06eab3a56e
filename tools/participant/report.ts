import { createHmac, randomUUID } from 'node:crypto';

export interface Report {
  readonly ws: string;
  readonly srid: string;
  readonly participant: string;
  /** `completed`, `sent` and `skipped` are final; `failed` may be reported again. */
  readonly status: 'completed' | 'sent' | 'skipped' | 'failed';
  /** Shown to the controller, at most 256 characters, without personal data. */
  readonly statusMessage?: string;
}

/** A report as a record: CloudEvents headers, a JSON value, and a signature over exactly the bytes that are sent. */
export function reportRecord(report: Report, secret: string, at: Date) {
  const id = randomUUID();
  const time = at.toISOString();
  const value = Buffer.from(JSON.stringify({ type: 'ParticipantReport', id, ...report, at: time }));
  return {
    key: `${report.ws}:${report.srid}`,
    value,
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: 'org.opendsr-service.ParticipantReport.v1',
      ce_source: `/participant/${report.participant}`,
      ce_subject: report.srid,
      ce_time: time,
      ce_workspaceid: report.ws,
      'opendsr-signature': createHmac('sha256', secret).update(value).digest('hex'),
    },
  };
}
