import { CALLBACKS } from './callbacks';
import { LOG } from './log';
import { OVERVIEW } from './overview';
import type { Dashboard, Panel, Row } from './panels';
import { PROCESSES } from './processes';
import { REQUESTS } from './requests';

export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, REQUESTS, CALLBACKS, LOG, PROCESSES];

const WIDTH = 24;
const HEIGHT = 8;
/** The reader chooses the data source. */
const datasource = { type: 'prometheus', uid: '${datasource}' };

const label = (name: string) => ({
  name,
  label: name,
  type: 'query',
  datasource,
  query: { query: `label_values(opendsr_build_info, ${name})`, refId: name },
  definition: `label_values(opendsr_build_info, ${name})`,
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  // Also what has no such label at all.
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
});

const templating = {
  list: [
    { name: 'datasource', label: 'data source', type: 'datasource', query: 'prometheus', refresh: 1 },
    label('namespace'),
    label('job'),
  ],
};

const steps = (alarmAt: number | undefined) => [
  { color: 'green', value: null },
  ...(alarmAt === undefined ? [] : [{ color: 'red', value: alarmAt }]),
];

const custom = ({ stacked = false, alarmAt }: Panel) => ({
  fillOpacity: stacked ? 30 : 5,
  showPoints: 'never',
  stacking: { mode: stacked ? 'normal' : 'none' },
  thresholdsStyle: { mode: alarmAt === undefined ? 'off' : 'dashed' },
});

const optionsOf = {
  timeseries: {
    legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' },
} as const;

interface Place {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

function drawn(panel: Panel, { id, x, y }: Place): object {
  const { title, about, kind = 'timeseries', width = WIDTH / 2, unit, queries } = panel;
  return {
    ...{ id, type: kind, title, description: about, datasource },
    gridPos: { x, y, w: width, h: HEIGHT },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps: steps(panel.alarmAt) },
        ...(kind === 'timeseries' && { custom: custom(panel) }),
      },
      overrides: [],
    },
    options: optionsOf[kind],
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      datasource,
      expr,
      legendFormat: legend,
      ...(kind === 'stat' && { instant: true }),
    })),
  };
}

/** The panels of all rows, side by side while there is room, each with its own id. */
function laidOut(rows: readonly Row[]): object[] {
  const objects: object[] = [];
  let [x, y] = [0, 0];
  for (const { title, panels } of rows) {
    objects.push({
      id: objects.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
      panels: [],
    });
    [x, y] = [0, y + 1];
    for (const panel of panels) {
      const { width = WIDTH / 2 } = panel;
      if (x + width > WIDTH) [x, y] = [0, y + HEIGHT];
      objects.push(drawn(panel, { id: objects.length + 1, x, y }));
      x += width;
    }
    y += HEIGHT;
  }
  return objects;
}

/** A dashboard as Grafana imports it. */
const grafanaOf = ({ name, title, about, rows }: Dashboard): object => ({
  ...{
    uid: name,
    title,
    description: about,
    tags: ['opendsr'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    timezone: 'browser',
  },
  time: { from: 'now-6h', to: 'now' },
  links: [
    { type: 'dashboards', title: 'OpenDSR', tags: ['opendsr'], asDropdown: true, includeVars: true, keepTime: true },
  ],
  templating,
  panels: laidOut(rows),
});

export const dashboardPath = ({ name }: Dashboard): string => `docker/helm/opendsr-service/dashboards/${name}.json`;
export const dashboardText = (dashboard: Dashboard): string => `${JSON.stringify(grafanaOf(dashboard), null, 2)}\n`;
