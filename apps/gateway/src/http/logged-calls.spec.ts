import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { VERSIONS } from '@opendsr-service/contracts';
import { createLogger } from '@opendsr-service/service';
import { serveForTests } from '../testing/serve-for-tests';
import { namedSigners } from '../testing/service';

const lines: { level: string; msg: string; srid?: string }[] = [];
const log = createLogger('gateway', 'info', {
  write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
});

const here = serveForTests({}, namedSigners(), { log });

it.each(VERSIONS)(
  'logs one line for a create and one for a cancel, and none for reads, in version $apiVersion',
  async (version) => {
    const [requests, id] = [`/${version.root}/${version.requestsRoute}`, randomUUID()];
    const body = {
      ...(version.hasRegulation && { regulation: 'gdpr' }),
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-11-20',
      group_id: id,
      subject_identities: [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }],
    };
    const loggedBy = async (answering: Promise<Response>): Promise<[number, string[]]> => {
      const before = lines.length;
      const { status } = await answering;
      return [status, lines.slice(before).map(({ level, msg }) => `${level} ${msg}`)];
    };
    expect(await loggedBy(here.service.call('POST', requests, { body }))).toEqual([
      201,
      ['info A request was admitted'],
    ]);
    expect(await loggedBy(here.service.call('POST', requests, { body }))).toEqual([400, []]);
    expect(await loggedBy(here.service.call('GET', `${requests}/${id}`))).toEqual([200, []]);
    expect(await loggedBy(here.service.send('GET', `${requests}/${id}`, { 'if-none-match': '*' }))).toEqual([304, []]);
    expect(await loggedBy(here.service.call('GET', `${requests}?group_id=${id}`))).toEqual([200, []]);
    expect(await loggedBy(here.service.call('GET', `${requests}/${id}/callbacks`))).toEqual([200, []]);
    expect(await loggedBy(here.service.call('GET', `/${version.root}/discovery`))).toEqual([200, []]);
    expect(await loggedBy(here.service.call('GET', `${requests}/${randomUUID()}`))).toEqual([404, []]);
    expect(await loggedBy(here.service.call('GET', requests, { anonymous: true }))).toEqual([401, []]);
    expect(await loggedBy(here.service.call('DELETE', `${requests}/${id}`))).toEqual([
      202,
      ['info A request was cancelled'],
    ]);
  },
);
