import { chosen, query, rate, type Dashboard, type Panel } from './panels';

const SECONDS = 'http_server_request_duration_seconds';
const FAILED = 'http_response_status_code=~"5.."';

const quantile = (q: number, by: string): string =>
  `histogram_quantile(${q}, sum by (le, ${by}) (${rate(`${SECONDS}_bucket`)}))`;

/** Rate, errors and duration by one label. */
const red = (by: string, what: string): readonly Panel[] => [
  {
    title: `Rate by ${what}`,
    about: 'Calls a second.',
    unit: 'reqps',
    width: 8,
    queries: query(`sum by (${by}) (${rate(`${SECONDS}_count`)})`, `{{${by}}}`),
  },
  {
    title: `Errors by ${what}`,
    about: 'The share of calls that were answered with 5xx.',
    unit: 'percentunit',
    width: 8,
    queries: query(
      `sum by (${by}) (${rate(`${SECONDS}_count`, FAILED)}) / sum by (${by}) (${rate(`${SECONDS}_count`)})`,
      `{{${by}}}`,
    ),
  },
  {
    title: `99th percentile by ${what}`,
    about: 'Of a hundred calls, ninety-nine were answered within this time.',
    unit: 's',
    width: 8,
    queries: query(quantile(0.99, by), `{{${by}}}`),
  },
];

export const OVERVIEW: Dashboard = {
  name: 'opendsr-overview',
  title: 'OpenDSR: overview',
  about: 'What callers see: rate, errors and duration of the calls, by route and by class of workspace.',
  rows: [
    {
      title: 'All calls',
      panels: [
        {
          title: 'Calls by status',
          about: 'Calls a second, by the status of their answer.',
          unit: 'reqps',
          stacked: true,
          queries: query(
            `sum by (http_response_status_code) (${rate(`${SECONDS}_count`)})`,
            '{{http_response_status_code}}',
          ),
        },
        {
          title: 'Duration',
          about: 'Of all calls.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((q) => ({
            expr: `histogram_quantile(${q}, sum by (le) (${rate(`${SECONDS}_bucket`)}))`,
            legend: `${q * 100} %`,
          })),
        },
      ],
    },
    { title: 'By route', panels: red('http_route', 'route') },
    { title: 'By class of workspace', panels: red('workspace_class', 'class') },
    {
      title: 'Refused',
      panels: [
        {
          title: 'Credentials refused',
          about: 'Calls a second that were answered with 401 or 403.',
          unit: 'reqps',
          queries: query(
            `sum by (job, http_route) (${rate(`${SECONDS}_count`, 'http_response_status_code=~"401|403"')})`,
            '{{job}} {{http_route}}',
          ),
        },
        {
          title: 'Over a limit',
          about:
            'Calls a second that were answered with 429, by the budget that was spent; and those that a ' +
            'process counted alone, because the database was slow.',
          unit: 'reqps',
          queries: [
            { expr: `sum by (budget) (${rate('opendsr_rate_limited_total')})`, legend: '{{budget}}' },
            {
              expr: `sum by (budget) (${rate('opendsr_rate_limit_fallback_total')})`,
              legend: '{{budget}}, counted alone',
            },
          ],
        },
      ],
    },
    {
      title: 'What runs',
      panels: [
        {
          title: 'Versions',
          about: 'Processes by version; more than one while an upgrade is under way.',
          unit: 'short',
          width: 24,
          queries: query(`count by (job, version) (${chosen('opendsr_build_info')})`, '{{job}} {{version}}'),
        },
      ],
    },
  ],
};
