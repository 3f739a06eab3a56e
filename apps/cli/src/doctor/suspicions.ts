import type { DoctorValues } from './doctor-settings';
import { warn, type Finding } from './finding';

const CHECK = 'configuration';
const isLocal = (url: string): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/** What can be read, and is yet hardly meant where real servers hold the data. */
export function suspicions(values: DoctorValues): readonly Finding[] {
  const { TOPIC_REPLICATION: copies, TOPIC_MIN_ISR: minIsr } = values;
  return [
    ...(values.TIMING_PROFILE === 'sandbox'
      ? [
          warn(
            CHECK,
            'TIMING_PROFILE is sandbox, with real servers',
            'set it to production: waits of seconds are for trying out',
          ),
        ]
      : []),
    ...addresses(values),
    ...(copies === 1
      ? [warn(CHECK, 'TOPIC_REPLICATION is 1', 'use 3 brokers and 3 copies: with one, a lost disk is lost data')]
      : []),
    ...(copies > 1 && minIsr === 1
      ? [
          warn(
            CHECK,
            'TOPIC_MIN_ISR is 1',
            'set it to 2: with 1, what a broker alone has acknowledged can be lost with it',
          ),
        ]
      : []),
    ...(copies > 1 && minIsr >= copies
      ? [
          warn(
            CHECK,
            'TOPIC_MIN_ISR is not below TOPIC_REPLICATION',
            'lower it: as it is nothing can be written while one broker is away',
          ),
        ]
      : []),
    ...(values.CALLBACK_ALLOW_CIDRS.some((range) => range.endsWith('/0'))
      ? [warn(CHECK, 'CALLBACK_ALLOW_CIDRS holds all addresses', 'name the networks of your receivers alone')]
      : []),
  ];
}

function addresses(values: DoctorValues): readonly Finding[] {
  if (values.TIMING_PROFILE !== 'production') return [];
  const names = values.SERVE_V1 ? (['PUBLIC_URL_V2', 'PUBLIC_URL_V1'] as const) : (['PUBLIC_URL_V2'] as const);
  return names.flatMap((name) => {
    if (isLocal(values[name]))
      return [warn(CHECK, `${name} is on this machine`, 'set it to the address that controllers call')];
    return values[name].startsWith('https:')
      ? []
      : [warn(CHECK, `${name} is without TLS`, 'give controllers an https address')];
  });
}
