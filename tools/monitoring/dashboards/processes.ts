import { chosen, query, rate, type Dashboard } from './panels';

const ONE = '{{job}} {{instance}}';

export const PROCESSES: Dashboard = {
  name: 'opendsr-processes',
  title: 'OpenDSR: processes',
  about: 'How the processes themselves fare.',
  rows: [
    {
      title: 'Event loop and CPU',
      panels: [
        {
          title: 'Event loop, longest',
          about:
            'For how long it stood still at most since the scrape before: everything that the process does waits so long.',
          unit: 's',
          width: 8,
          alarmAt: 0.5,
          queries: query(chosen('nodejs_eventloop_lag_max_seconds'), ONE),
        },
        {
          title: 'Event loop, 99th percentile',
          about: 'Of a hundred turns since the scrape before, ninety-nine were not later.',
          unit: 's',
          width: 8,
          queries: query(chosen('nodejs_eventloop_lag_p99_seconds'), ONE),
        },
        {
          title: 'CPU',
          about:
            'Seconds a second. One event loop takes one CPU; more is garbage collection, cryptography and compression.',
          unit: 'short',
          width: 8,
          queries: query(rate('process_cpu_seconds_total'), ONE),
        },
      ],
    },
    {
      title: 'Memory',
      panels: [
        {
          title: 'Resident memory',
          about: 'What counts against the limit of the container.',
          unit: 'bytes',
          queries: query(chosen('process_resident_memory_bytes'), ONE),
        },
        {
          title: 'Heap in use',
          about: 'Grows and falls with each collection; what never falls is a leak.',
          unit: 'bytes',
          queries: query(chosen('nodejs_heap_size_used_bytes'), ONE),
        },
        {
          title: 'Garbage collection',
          about: 'Seconds a second spent in it.',
          unit: 'percentunit',
          queries: query(`sum by (job, instance) (${rate('nodejs_gc_duration_seconds_sum')})`, ONE),
        },
        {
          title: 'Open files',
          about: 'Connections among them.',
          unit: 'short',
          queries: query(chosen('process_open_fds'), ONE),
        },
      ],
    },
    {
      title: 'Connections',
      panels: [
        {
          title: 'Connections',
          about: 'Held by the public listeners.',
          unit: 'short',
          queries: query(chosen('opendsr_http_connections'), ONE),
        },
        {
          title: 'Connections refused',
          about: 'A second, because those of all callers or of one address were too many.',
          unit: 'cps',
          queries: query(
            `sum by (job, reason) (${rate('opendsr_http_connections_refused_total')})`,
            '{{job}} {{reason}}',
          ),
        },
        {
          title: 'Calls',
          about: 'Worked on for the public listeners, of HTTP_CALLS_LIMIT at most.',
          unit: 'short',
          queries: query(chosen('opendsr_http_calls'), ONE),
        },
        {
          title: 'Calls refused',
          about: 'A second, because too many were worked on.',
          unit: 'cps',
          queries: query(`sum by (job) (${rate('opendsr_http_calls_refused_total')})`, '{{job}}'),
        },
        {
          title: 'Operators who watch',
          about: 'Streams of changes that consoles have open, 200 of a process at most.',
          unit: 'short',
          queries: query(chosen('opendsr_operator_streams'), ONE),
        },
      ],
    },
    {
      title: 'Stores',
      panels: [
        {
          title: 'Free space of the embedded stores',
          about: 'Of the disk that holds DATA_DIR. A full one refuses every write.',
          unit: 'bytes',
          queries: query(chosen('opendsr_data_folder_free_bytes'), ONE),
        },
        {
          title: 'Client certificates expire',
          about: 'Of those by which processes prove themselves to Kafka and MongoDB, as loaded at the start.',
          unit: 'dateTimeFromNow',
          kind: 'stat',
          queries: query(
            `min by (job, store) (${chosen('opendsr_client_certificate_expiry_timestamp_seconds')}) * 1000`,
            '{{job}} {{store}}',
          ),
        },
      ],
    },
    {
      title: 'Restarts',
      panels: [
        {
          title: 'Runs since',
          about: 'When each process was started.',
          unit: 'dateTimeFromNow',
          kind: 'stat',
          width: 24,
          queries: query(`${chosen('process_start_time_seconds')} * 1000`, ONE),
        },
      ],
    },
  ],
};
