import { dashboardPath, DASHBOARDS, dashboardText } from './dashboards/grafana';
import { plainRules, plainRulesPath } from './rules';

/** A file of this repository that is made from others. */
export interface Generated {
  readonly path: string;
  readonly text: () => string;
}

export const GENERATED: readonly Generated[] = [
  { path: plainRulesPath, text: plainRules },
  ...DASHBOARDS.map((dashboard) => ({ path: dashboardPath(dashboard), text: () => dashboardText(dashboard) })),
];
