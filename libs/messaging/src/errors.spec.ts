import { isLogAway, isUnacknowledged, LogAway, PublishRefused, PublishTimeout, UnknownTopic } from './errors';

const refused = (reason: PublishRefused['reason']) => new PublishRefused(reason, 'planted');

it.each([
  ['a publish without an answer in time', new PublishTimeout('planted'), true, true],
  ['a log that is away', refused('away'), true, true],
  ['a log that takes no more', refused('full'), true, true],
  ['a closed log', refused('closed'), true, true],
  ['a topic that nobody made', refused('unknown-topic'), false, true],
  ['a record that is too large', refused('too-large'), false, true],
  ['records that a broker rejects', refused('rejected'), false, true],
  ['a read that ended', new LogAway('planted'), true, false],
  ['a read of a topic that nobody made', new UnknownTopic('t'), false, false],
  ['a bug', new TypeError('planted'), false, false],
])('tells whether the log is away, and whether a publish was not acknowledged: %s', (_what, error, isAway, isNot) => {
  expect([isLogAway(error), isUnacknowledged(error)]).toEqual([isAway, isNot]);
});
