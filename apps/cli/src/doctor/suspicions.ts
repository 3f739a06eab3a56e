import type { DoctorSettings, StoreSettings } from './doctor-settings';
import { warn, type Finding } from './finding';

const CHECK = 'configuration';
const isLocal = (url: string): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

const SANDBOX = warn(
  CHECK,
  'TIMING_PROFILE is sandbox, with real servers',
  'set it to production: waits of seconds are for trials',
);

type Parts = Pick<DoctorSettings, 'addresses' | 'egress'>;

/** Valid settings that are probably wrong with real servers. `addresses`: only where a service has public ones. */
export function suspicions(values: StoreSettings, { addresses, egress }: Parts): readonly Finding[] {
  const { TOPIC_REPLICATION: copies, TOPIC_MIN_ISR: minIsr } = values;
  return [
    ...(values.TIMING_PROFILE === 'sandbox' ? [SANDBOX] : addressFindings(addresses)),
    ...(copies === 1
      ? [warn(CHECK, 'TOPIC_REPLICATION is 1', 'use 3 brokers and 3 copies: with one, a lost disk is lost data')]
      : []),
    ...(copies > 1 && minIsr === 1
      ? [warn(CHECK, 'TOPIC_MIN_ISR is 1', 'set it to 2: with 1, the loss of a broker can lose acknowledged records')]
      : []),
    ...(copies > 1 && minIsr >= copies
      ? [
          warn(
            CHECK,
            'TOPIC_MIN_ISR is not below TOPIC_REPLICATION',
            'lower it: otherwise nothing can be written while one broker is away',
          ),
        ]
      : []),
    ...(egress?.CALLBACK_ALLOW_CIDRS.some((range) => range.endsWith('/0'))
      ? [warn(CHECK, 'CALLBACK_ALLOW_CIDRS contains all addresses', 'name only the networks of your receivers')]
      : []),
  ];
}

function addressFindings(values: Parts['addresses']): readonly Finding[] {
  if (!values) return [];
  const names = values.SERVE_V1 ? (['PUBLIC_URL_V2', 'PUBLIC_URL_V1'] as const) : (['PUBLIC_URL_V2'] as const);
  return names.flatMap((name) => {
    if (isLocal(values[name]))
      return [warn(CHECK, `${name} is on this machine`, 'set it to the address that controllers call')];
    return values[name].startsWith('https:')
      ? []
      : [warn(CHECK, `${name} does not use TLS`, 'give controllers an https address')];
  });
}
