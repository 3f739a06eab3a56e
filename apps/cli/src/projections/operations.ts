/** What each service offers to tools. Loaded on demand: most commands do not need it. */
export async function operations() {
  const [gateway, request, callbackDispatcher, results, ingestion] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
    import('@opendsr-service/callback-dispatcher/operation'),
    import('@opendsr-service/results/operation'),
    import('@opendsr-service/ingestion/operation'),
  ]);
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

export type Operation = Awaited<ReturnType<typeof operations>>['services'][number];
