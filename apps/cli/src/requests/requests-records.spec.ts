import { commands, participantReports, requestKey, TOPICS } from '@opendsr-service/contracts';
import { Stores } from '../testing/stores';
import { requestsRecords } from './requests-records.command';

const SRID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const OTHER = 'b2d19cf2-7a34-4d3a-9a52-6c8a29d3b1c1';
const RECORDS = 'requests records --workspace acme --id';
const at = '2026-11-21T09:00:00.000Z';

let stores: Stores;
beforeAll(async () => {
  stores = await Stores.open();
  await stores.applyTopics();
  const requests = (await stores.database('gateway')).collection('requests');
  await requests.insertOne({
    _id: requestKey('acme', SRID) as never,
    ws: 'acme',
    srid: SRID,
    receivedAt: new Date(at),
  });
  const cancel = (srid: string, n: number) =>
    commands.encode({
      type: 'CancelRequest',
      id: `00000000-0000-5000-8000-00000000000${n}`,
      ws: 'acme',
      srid,
      seq: n,
      at,
    });
  await stores.publish(TOPICS.commands.name, cancel(SRID, 2), cancel(OTHER, 3));
  const report = { ws: 'acme', srid: SRID, at, participant: 'results', status: 'failed' } as const;
  await stores.publish(
    TOPICS.participantReports.name,
    participantReports.encode({
      ...{ ...report, type: 'ParticipantReport', id: '00000000-0000-5000-8000-000000000004' },
      statusMessage: 'Ann has moved',
    }),
    { key: requestKey('acme', SRID), value: Buffer.from('Ann'), headers: {} },
  );
});
afterAll(() => stores.close());

const say = (line: string) => stores.say([requestsRecords], line);

it('prints the records of one request on all topics, without personal data', async () => {
  const { code, out, err } = await say(`${RECORDS} ${SRID}`);
  expect([code, err, out.map((line) => line.replace(/^\S+Z {2}/, '').replace(/\d+ bytes/, 'N bytes'))]).toEqual([
    0,
    [],
    [
      `dsr.commands.v1  0/0  CancelRequest  seq=2  at=${at}  N bytes`,
      `dsr.participant-reports.v1  0/0  ParticipantReport  at=${at}  participant=results  status=failed  N bytes`,
      'dsr.participant-reports.v1  0/1  -  not as its topic says  N bytes',
    ],
  ]);
  const json = await say(`${RECORDS} ${SRID} --json`);
  expect(JSON.parse(json.out.join(''))).toMatchObject({ records: [{}, {}, {}], topics: [{}, {}, {}, {}] });
  expect([...out, ...json.out].join('')).not.toContain('Ann');
});

it('says that a request is not there', async () => {
  expect(await say(`${RECORDS} ${OTHER}`)).toEqual({
    ...{ code: 1, out: [] },
    err: [expect.stringContaining(`there is no request ${OTHER} in acme`) as string],
  });
});
