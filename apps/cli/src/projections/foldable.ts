import { operations } from '../operations';

/** What each service offers to those who fold the event log. */
export async function foldable() {
  const { gateway, request, 'callback-dispatcher': callbackDispatcher, results, ingestion } = await operations();
  return {
    keySetting: { REQUEST_KEY_KEEP_MS: gateway.configuration.table.REQUEST_KEY_KEEP_MS },
    services: [
      { service: 'gateway', ...gateway },
      { service: 'request', ...request },
      { service: 'callback-dispatcher', ...callbackDispatcher },
      { service: 'results', projections: [], ...results },
      { service: 'ingestion', projections: [], ...ingestion },
    ] as const,
  };
}

export type Operation = Awaited<ReturnType<typeof foldable>>['services'][number];
