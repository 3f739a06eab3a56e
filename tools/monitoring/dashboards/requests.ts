import { chosen, most, query, type Dashboard } from './panels';

const written = (status: string): string =>
  `sum(increase(${chosen('opendsr_requests_total', `status="${status}"`)}[$__range]))`;

export const REQUESTS: Dashboard = {
  name: 'opendsr-requests',
  title: 'OpenDSR: requests',
  about: 'What becomes of requests: how many come, how far they get, and which are late.',
  rows: [
    {
      title: 'Funnel of the chosen time',
      panels: [
        ['pending', 'Admitted'],
        ['in_progress', 'Started'],
        ['completed', 'Completed'],
        ['cancelled', 'Cancelled'],
      ].map(([status = '', title = '']) => ({
        title,
        about: 'Statuses written in the chosen time, by all gateways.',
        unit: 'short',
        kind: 'stat',
        width: 6,
        queries: query(written(status), title),
      })),
    },
    {
      title: 'Course',
      panels: [
        {
          title: 'Admitted by type and version',
          about: 'Requests an hour.',
          unit: 'short',
          queries: query(
            `sum by (type, version) (increase(${chosen('opendsr_requests_total', 'status="pending"')}[1h]))`,
            '{{type}} {{version}}',
          ),
        },
        {
          title: 'Statuses written',
          about: 'Changes an hour.',
          unit: 'short',
          queries: query(`sum by (status) (increase(${chosen('opendsr_requests_total')}[1h]))`, '{{status}}'),
        },
      ],
    },
    {
      title: 'Ageing',
      panels: [
        {
          title: 'Open by type and status',
          about: 'Requests that have not ended, as the database has them.',
          unit: 'short',
          stacked: true,
          queries: query(most('opendsr_requests', ['type', 'status']), '{{type}} {{status}}'),
        },
        {
          title: 'Past their expected completion',
          about: 'Requests with an earlier time announced to their controllers. Any of them is an alert.',
          unit: 'short',
          alarmAt: 1,
          queries: query(most('opendsr_requests_past_expected', ['type']), '{{type}}'),
        },
        {
          title: 'By legal date',
          about: 'Open requests: on track, at risk (three quarters of the time are gone), overdue.',
          unit: 'short',
          stacked: true,
          queries: query(
            `sum by (state) (${most('opendsr_requests_legal_date', ['state', 'regulation', 'type', 'workspace_class'])})`,
            '{{state}}',
          ),
        },
        {
          title: 'Overdue by regulation, type and class',
          about: 'Open requests past their legal date. Any of them is an alert.',
          unit: 'short',
          alarmAt: 1,
          queries: query(
            most('opendsr_requests_legal_date', ['regulation', 'type', 'workspace_class'], 'state="overdue"'),
            '{{regulation}} {{type}} {{workspace_class}}',
          ),
        },
        {
          title: 'Received too late',
          about: 'Requests an hour whose legal date lies before their start.',
          unit: 'short',
          queries: query(
            `sum by (regulation, type) (increase(${chosen('opendsr_requests_received_too_late_total')}[1h]))`,
            '{{regulation}} {{type}}',
          ),
        },
        {
          title: 'Longest overdue work',
          about:
            'How long that waits which was due first, by kind: starts, archives, erasures, keys, attestations, checkpoints.',
          unit: 's',
          alarmAt: 900,
          queries: query(most('opendsr_overdue_seconds', ['work']), '{{work}}'),
        },
        {
          title: 'Attestations',
          about:
            'Attestations that reached the transparency log, an hour: 1 of ends of requests, 2 of ends of generations.',
          unit: 'short',
          queries: query(
            `sum by (statement) (increase(${chosen('opendsr_attestations_total')}[1h]))`,
            'statement {{statement}}',
          ),
        },
        {
          title: 'Transparency log refused',
          about: 'Gateways that sign nothing because the leaves do not continue the newest checkpoint, by reason.',
          unit: 'short',
          alarmAt: 1,
          queries: query(most('opendsr_transparency_refused', ['reason']), '{{reason}}'),
        },
        {
          title: 'Age of the last cosignature',
          about: 'How long ago each witness of the transparency log cosigned a checkpoint: an hour at most.',
          unit: 's',
          alarmAt: 21_600,
          queries: query(most('opendsr_witness_cosignature_age_seconds', ['witness']), '{{witness}}'),
        },
        {
          title: 'Offers to witnesses',
          about: 'Checkpoints that were offered within an hour, by what became of it.',
          unit: 'short',
          queries: query(
            `sum by (witness, outcome) (increase(${chosen('opendsr_witness_offers_total')}[1h]))`,
            '{{witness}} {{outcome}}',
          ),
        },
        {
          title: 'Key rotation',
          about: 'How far data keys are wrapped under the current generation; below 1 an old generation still exists.',
          unit: 'percentunit',
          queries: query(most('opendsr_key_rotation_progress_ratio', []), 'progress'),
        },
        {
          title: 'Age of the key generation',
          about: 'How old the generation of workspace keys is: KEY_GENERATION_MS at most, and what a turn waits for.',
          unit: 's',
          queries: query(most('opendsr_key_generation_age_seconds', []), 'age'),
        },
        {
          title: 'Calls that named somebody erased',
          about: 'Calls a second to ingestion, by the policy of their workspace.',
          unit: 'cps',
          queries: query(
            `sum by (policy) (rate(${chosen('opendsr_after_erasure_calls_total')}[$__rate_interval]))`,
            '{{policy}}',
          ),
        },
      ],
    },
  ],
};
