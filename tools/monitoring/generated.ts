import { dashboardPath, DASHBOARDS, dashboardText } from './dashboards/grafana';
import { observabilityPage, observabilityPath } from './metrics-table';
import { plainRules, plainRulesPath } from './rules';

/** A file of this repository that is made from others. */
interface Generated {
  readonly path: string;
  readonly text: () => string;
}

export const GENERATED: readonly Generated[] = [
  { path: plainRulesPath, text: plainRules },
  { path: observabilityPath, text: observabilityPage },
  ...DASHBOARDS.map((dashboard) => ({ path: dashboardPath(dashboard), text: () => dashboardText(dashboard) })),
];
