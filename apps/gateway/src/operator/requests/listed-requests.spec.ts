import { ApiError } from '@opendsr-service/edge';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { parseListQuery } from './list-query';
import { listedRequestsContract } from './listed-requests.contract';

listedRequestsContract('the embedded store', embeddedDatabase('gateway'));

it.each([
  [{ limit: '0' }],
  [{ limit: '201' }],
  [{ limit: ['1', '2'] }],
  [{ status: 'open' }],
  [{ id: 'x' }],
  [{ group: 'g' }],
  [{ received_from: 'yesterday' }],
  [{ overdue: 'true', due_within: '1d' }],
  [{ legal_state: 'overdue', due_within: '1d' }],
  [{ overdue: 'true', legal_state: 'at_risk' }],
  [{ overdue: 'false', legal_state: 'overdue' }],
  [{ overdue: 'true', order: 'received' }],
  [{ due_within: 'soon' }],
  [{ due_within: '7' }],
  [{ due_within: '9999999999d' }],
  [{ older_than: 'soon' }],
  [{ older_than: '36526d' }],
  [{ older_than: '1d', received_to: '2026-11-21T09:00:00Z' }],
  [{ ended_within: '1d', order: 'due' }],
  [{ legal_state: 'missed', order: 'received' }],
  [{ legal_state: 'missed', due_within: '1d' }],
  [{ legal_state: 'missed', due_within: '1d', order: 'ended' }],
  [{ legal_state: 'kept', overdue: 'false' }],
  [{ legal_state: 'overdue', ended_within: '1d' }],
  [{ ended_within: '1d', overdue: 'true' }],
  [{ callbacks: 'well' }],
  [{ cursor: 'x' }],
  [{ cursor: Buffer.from('["due",1,"a"]').toString('base64url') }],
  [{ cursor: Buffer.from('["received",9e15,"a"]').toString('base64url') }],
  [{ cursor: Buffer.from('["received",1,{"$gt":""}]').toString('base64url') }],
  [{ workspace: '' }],
  [{ workspace: { $ne: '' } }],
  [{ unknown: 'x' }],
])('refuses the parameters %j, and repeats no value', (parameters) => {
  expect(() => parseListQuery(parameters, new Date(0))).toThrow(ApiError);
});

it.each([
  ['x'.repeat(513), 'workspace must have at most 512 characters.'],
  ['', 'workspace must be given once, and not empty.'],
  [['a', 'b'], 'workspace must be given once, and not empty.'],
])('says what is wrong with a text', (workspace, message) => {
  expect(() => parseListQuery({ workspace }, new Date(0))).toThrow(message);
});
