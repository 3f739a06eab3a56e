import { chosen, most, query, rate, type Dashboard } from './panels';

const ATTEMPTS = 'opendsr_callback_attempts_total';

export const CALLBACKS: Dashboard = {
  name: 'opendsr-callbacks',
  title: 'OpenDSR: callbacks',
  about: 'Whether callbacks reach the controllers.',
  rows: [
    {
      title: 'Tries',
      panels: [
        {
          title: 'Tries by outcome',
          about:
            'Tries a second. `postponed` was not sent: its host is paused, it could not be built, or its version is not served.',
          unit: 'cps',
          stacked: true,
          queries: query(`sum by (outcome) (${rate(ATTEMPTS)})`, '{{outcome}}'),
        },
        {
          title: 'Share that fails',
          about: 'Refused, nobody reached, or not sent. More than half of an hour is an alert.',
          unit: 'percentunit',
          alarmAt: 0.5,
          queries: query(
            `sum(${rate(ATTEMPTS, 'outcome=~"rejected|unreachable|postponed"')}) / sum(${rate(ATTEMPTS)})`,
            'failed',
          ),
        },
      ],
    },
    {
      title: 'What waits',
      panels: [
        {
          title: 'Undelivered',
          about: 'URLs of requests for which callbacks wait or are tried again.',
          unit: 'short',
          queries: query(most('opendsr_callbacks_undelivered'), 'waiting'),
        },
        {
          title: 'Oldest undelivered',
          about:
            'Callbacks leave on the quarter of an hour; what is older than that has failed. After 7 days it is given up.',
          unit: 's',
          alarmAt: 86_400,
          queries: query(most('opendsr_callback_oldest_undelivered_seconds'), 'oldest'),
        },
        {
          title: 'Longest overdue',
          about: 'How long a callback waits past its time: the dispatchers are too few, or stand still.',
          unit: 's',
          alarmAt: 900,
          queries: query(most('opendsr_overdue_seconds', [], 'work="callbacks"'), 'overdue'),
        },
        {
          title: 'Given up',
          about: 'Callbacks an hour that never reached their receiver.',
          unit: 'short',
          queries: query(`sum by (reason) (increase(${chosen('opendsr_callbacks_given_up_total')}[1h]))`, '{{reason}}'),
        },
      ],
    },
    {
      title: 'Signing',
      panels: [
        {
          title: 'Certificates end',
          about: 'Of each version of the protocol.',
          unit: 'dateTimeFromNow',
          kind: 'stat',
          queries: query(
            `min by (version) (${chosen('opendsr_signing_certificate_expiry_timestamp_seconds')}) * 1000`,
            '{{version}}',
          ),
        },
        {
          title: 'Signing files refused',
          about: '1 while the files hold something that is not fit.',
          unit: 'short',
          kind: 'stat',
          alarmAt: 1,
          queries: query(most('opendsr_signing_certificate_rejected', ['version']), '{{version}}'),
        },
      ],
    },
  ],
};
