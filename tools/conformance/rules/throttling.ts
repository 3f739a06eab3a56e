import { expectThat, NotApplicable } from '../checks';
import { inInterface, inNotes, type Rule } from '../rule';
import type { Session } from '../session';

type Check = (header: string | null) => boolean;
const onEvery = (id: string, title: string, check: Check, expected: string): Omit<Rule, 'section' | 'source'> => ({
  id,
  title,
  order: 'last',
  run: ({ throttled }: Session) => {
    if (throttled.length === 0) return Promise.reject(new NotApplicable('no call was answered with 429'));
    expectThat(throttled.every(check), expected, 'one without');
    return Promise.resolve();
  },
});

export const throttlingRules = [
  ...inInterface('Limits', [
    onEvery(
      'throttling.retry-after',
      'every 429 says in Retry-After how long to wait',
      (header) => header !== null,
      'every 429 to carry Retry-After',
    ),
  ]),
  ...inNotes('429', [
    onEvery(
      'throttling.seconds',
      'Retry-After has whole seconds, at least 1',
      (header) => /^[1-9]\d*$/.test(header ?? ''),
      'whole seconds in every Retry-After',
    ),
  ]),
];
