import { showDurationMs } from './duration';
import { choice, durationMs, durationsMs, timerMs } from './parsers';
import { type ComputedDefault, perProfile, type Profile } from './setting';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A long tick has many callbacks at once, a short one few. */
const spread: ComputedDefault<number> = {
  compute: ({ CALLBACK_TICK_MS }) =>
    typeof CALLBACK_TICK_MS === 'number' && CALLBACK_TICK_MS >= minute ? Math.floor(CALLBACK_TICK_MS / 15) : 0,
  shown: () => 'a fifteenth of CALLBACK_TICK_MS from 1min on, else 0',
};

/** Every time that an operator may choose; the profile gives the defaults, and each can be set alone (decision 10). */
export const timingSettings = (profile: Profile) =>
  ({
    TIMING_PROFILE: choice(['sandbox', 'production'], {
      default: profile,
      meaning: 'Defaults of the times below: seconds for a whole request, or those of the interface.',
    }),
    ACCESS_WAIT_MS: durationMs({
      default: perProfile(second, 15 * minute),
      meaning: 'How long an access request can be cancelled before it starts.',
    }),
    PORTABILITY_WAIT_MS: durationMs({
      default: perProfile(second, 15 * minute),
      meaning: 'The same of a portability request.',
    }),
    ERASURE_WAIT_MS: durationMs({
      default: perProfile(2 * second, 7 * day),
      meaning: 'The same of an erasure request.',
    }),
    ERASURE_SECOND_PASS_MS: durationMs({
      default: perProfile(second, 2 * minute),
      meaning:
        'From the first deletion of what is held of an erased person to the second, which removes what ' +
        'was on its way. Processes keep keys in memory for 1min; in the production profile less than that ' +
        'is refused where there are several.',
    }),
    COMPLETION_ESTIMATE_MS: durationMs({
      default: 48 * hour,
      meaning: 'From the planned start to the expected completion time.',
    }),
    RESULTS_VALIDITY_MS: durationMs({
      default: 7 * day,
      meaning: 'How long a results link answers after completion; then 410.',
    }),
    CALLBACK_TICK_MS: durationMs({
      default: perProfile(second, 15 * minute),
      meaning: 'Callbacks are sent at multiples of this.',
    }),
    CALLBACK_SPREAD_MS: durationMs({
      default: spread,
      meaning:
        'Over how much of the tick its callbacks are spread, so that not all receivers are called at the ' +
        'same moment; shorter than the tick.',
    }),
    CALLBACK_RETRY_GAPS_MS: durationsMs({
      default: perProfile(
        [1, 2, 4, 8, 16, 32].map((n) => n * second),
        [1, 2, 4, 8, 16, 32, 64].map((n) => n * 15 * minute),
      ),
      meaning:
        'Waits after the first, second and further failures of a callback, each shortened by up to a quarter; the last repeats.',
    }),
    CALLBACK_SLOW_MS: durationMs({
      max: hour,
      default: 2 * second,
      meaning: 'A host that takes longer to respond gets one callback at a time, until it is faster.',
    }),
    CALLBACK_BREAKER_PAUSE_MS: durationMs({
      default: perProfile(second, 30 * second),
      meaning:
        'How long nothing is sent to a host that was unreachable CALLBACK_BREAKER_FAILURES times in a ' +
        'row, until a probe; each failed probe doubles it, up to one tick.',
    }),
    CALLBACK_GIVE_UP_MS: durationMs({
      default: 7 * day,
      meaning: 'How long after its first failure a destination of callbacks is given up.',
    }),
    WORKER_POLL_MS: timerMs({
      default: perProfile(200, second),
      meaning:
        'How often workers poll for due work: starts, callbacks, archives. While nothing is due the pause ' +
        'doubles, up to 15 s; a call, a batch of records or a stored due time ends it.',
    }),
    RELAY_POLL_MS: timerMs({
      default: second,
      meaning: 'How often relays poll for unacknowledged messages. While there are none the pause doubles, up to 5 s.',
    }),
    RELAY_FIRST_GAP_MS: durationMs({
      min: 10,
      max: day,
      default: 5 * second,
      meaning:
        'When an unanswered command is sent again, at the earliest: all that came before must be ' +
        'answered, for which it waits two minutes at most the first time; doubles each time.',
    }),
    RELAY_LONGEST_GAP_MS: durationMs({
      min: 10,
      max: 30 * day,
      default: hour,
      meaning: 'The longest such gap. After it a command is sent again however far behind the request service is.',
    }),
    SWEEP_POLL_MS: timerMs({
      default: perProfile(5 * second, minute),
      meaning: 'How often expired archives and keys are removed.',
    }),
  }) as const;

/** Faults of the gaps in which an unanswered command is sent again. */
export const checkRelay = (values: {
  readonly RELAY_FIRST_GAP_MS: number;
  readonly RELAY_LONGEST_GAP_MS: number;
}): string[] =>
  values.RELAY_FIRST_GAP_MS > values.RELAY_LONGEST_GAP_MS
    ? ['RELAY_FIRST_GAP_MS: must not be longer than RELAY_LONGEST_GAP_MS']
    : [];

/** `floorMs`: how long a process may hold a key that another has destroyed. The sandbox may be quicker. */
export const checkSecondPass = (
  values: { readonly TIMING_PROFILE: Profile; readonly ERASURE_SECOND_PASS_MS: number },
  floorMs: number,
): string[] =>
  values.TIMING_PROFILE === 'production' && values.ERASURE_SECOND_PASS_MS < floorMs
    ? [
        `ERASURE_SECOND_PASS_MS: must be at least ${showDurationMs(floorMs)} in the production profile, ` +
          'for so long processes may hold the key of somebody erased',
      ]
    : [];
