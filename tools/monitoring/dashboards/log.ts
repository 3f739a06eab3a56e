import { chosen, most, query, type Dashboard } from './panels';

export const LOG: Dashboard = {
  name: 'opendsr-log',
  title: 'OpenDSR: log and outboxes',
  about: 'Whether what was decided reaches Kafka, and whether what is in Kafka is done.',
  rows: [
    {
      title: 'Consumers',
      panels: [
        {
          title: 'Lag',
          about: 'Records between what a group has done and the end of the topic.',
          unit: 'short',
          alarmAt: 1_000,
          queries: query(most('opendsr_consumer_lag_records', ['group', 'topic']), '{{group}} {{topic}}'),
        },
        {
          title: 'Partitions without a leader',
          about: 'Neither read nor written, and in no lag. There should be none.',
          unit: 'short',
          alarmAt: 1,
          queries: query(most('opendsr_consumer_leaderless_partitions', ['topic']), '{{topic}}'),
        },
        {
          title: 'Members by state',
          about: 'Members of all groups; `away` has not heard of Kafka for some seconds.',
          unit: 'short',
          queries: query(`sum by (group, state) (${chosen('opendsr_consumer_state')}) > 0`, '{{group}} {{state}}'),
        },
      ],
    },
    {
      title: 'Parked',
      panels: [
        {
          title: 'Parked records',
          about: '`blocking` hold back what follows them for the same request; `aside` hold nothing.',
          unit: 'short',
          queries: query(
            `${most('opendsr_parked_records', ['group', 'topic', 'kind'])} > 0`,
            '{{group}} {{topic}} {{kind}}',
          ),
        },
        {
          title: 'Parked the longest',
          about: 'See `dsr parked list`. An alert is on those that are `blocking`.',
          unit: 's',
          alarmAt: 86_400,
          queries: query(most('opendsr_parked_oldest_age_seconds', ['group', 'kind']), '{{group}} {{kind}}'),
        },
        {
          title: 'Passed over',
          about: 'Records an hour that a later version wrote, or whose key is gone.',
          unit: 'short',
          queries: query(
            `sum by (group, topic) (increase(${chosen('opendsr_records_skipped_total')}[1h])) > 0`,
            '{{group}} {{topic}}',
          ),
        },
      ],
    },
    {
      title: 'Outboxes and workers',
      panels: [
        {
          title: 'Oldest entry of an outbox',
          about: '`commands` empties when the answering event comes back, the others when Kafka has acknowledged.',
          unit: 's',
          alarmAt: 60,
          queries: query(most('opendsr_outbox_oldest_age_seconds', ['outbox']), '{{outbox}}'),
        },
        {
          title: 'Workers that fail',
          about: 'Failed runs in a quarter of an hour; each is tried again.',
          unit: 'short',
          alarmAt: 5,
          queries: query(
            `sum by (job, worker) (increase(${chosen('opendsr_worker_failures_total')}[15m])) > 0`,
            '{{job}} {{worker}}',
          ),
        },
      ],
    },
  ],
};
