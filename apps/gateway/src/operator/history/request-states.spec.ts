import type { RequestState } from '@opendsr-service/operator-answers';
import type { RequestDocument } from '../../admission/request.document';
import { RequestStates } from './request-states';

const time = '2026-11-26T12:00:00.000Z';
const reported = { type: 'ParticipantReported', version: 4, time };
const fulfilled = { type: 'RequestFulfilled', version: 5, time };
const ofRequest: RequestState<'request'> = {
  ...{ status: 'fulfilled', event_version: 5, decisions: 3, participants: [] },
  unpublished_events: [reported, fulfilled],
};

const unpublished = async (seen: number) => {
  const requests = { find: () => Promise.resolve({ v: seen } as RequestDocument) };
  const ask = (service: string) => Promise.resolve(service === 'request' ? { answer: ofRequest } : undefined);
  const { services } = await new RequestStates(requests, { ask } as never).read('ws', 'srid');
  return (services['request'] as RequestState<'request'>).unpublished_events;
};

it('names no event as unpublished that the gateway has read from the log', async () => {
  expect(await unpublished(3)).toEqual([reported, fulfilled]);
  expect(await unpublished(4)).toEqual([fulfilled]);
  expect(await unpublished(5)).toEqual([]);
});
