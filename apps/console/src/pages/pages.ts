import type { ComponentType } from 'react';
import type { RouteName } from '../routes';

type Load = () => Promise<{ readonly default: ComponentType }>;

/** The code of each page, which is read when the page is first shown. */
export const pages: Readonly<Record<RouteName, Load>> = {
  overview: () => import('./overview/overview-page'),
  requests: () => import('./requests/requests-page'),
  firstRun: () => import('./first-run/first-run-page'),
  request: () => import('./request/request-page'),
  reveals: () => import('./reveals/reveals-page'),
  destinations: () => import('./destinations/destinations-page'),
  destination: () => import('./destinations/destination-page'),
  parked: () => import('./parked/parked-page'),
  parkedRecord: () => import('./parked/parked-record-page'),
  workspaces: () => import('./workspaces/workspaces-page'),
  workspace: () => import('./workspaces/workspace-page'),
  participants: () => import('./participants/participants-page'),
  evidence: () => import('./evidence/evidence-page'),
  audit: () => import('./audit/audit-page'),
  system: () => import('./system/system-page'),
};
