/** What each service offers to tools, by its name. Loaded on demand: most commands do not need it. */
export async function operations() {
  const [gateway, request, callbackDispatcher, results, ingestion] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
    import('@opendsr-service/callback-dispatcher/operation'),
    import('@opendsr-service/results/operation'),
    import('@opendsr-service/ingestion/operation'),
  ]);
  return { gateway, request, 'callback-dispatcher': callbackDispatcher, results, ingestion };
}
