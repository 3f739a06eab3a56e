import { mountCallbackDispatcher, type CallbackDispatcherPlatform } from '@opendsr-service/callback-dispatcher';
import { mountGateway, type GatewayPlatform } from '@opendsr-service/gateway';
import { mountIngestion, type IngestionPlatform } from '@opendsr-service/ingestion';
import { mountRequest, type RequestPlatform } from '@opendsr-service/request';
import { mountResults, type ResultsPlatform } from '@opendsr-service/results';
import { ownUpstream } from '@opendsr-service/operator-answers';
import type { HostedService, OwnProcess } from '@opendsr-service/service';
import type { StandaloneValues } from './standalone.config';

type Platform = GatewayPlatform & RequestPlatform & CallbackDispatcherPlatform & IngestionPlatform & ResultsPlatform;

/** `own` describes to the operator's API the process that all of them share. */
export async function mountAll(
  platform: Platform,
  values: StandaloneValues,
  own: OwnProcess,
): Promise<HostedService[]> {
  const ingestion = await mountIngestion(platform, values);
  const results = await mountResults(platform, values, ingestion.exports);
  const request = await mountRequest(platform, values);
  const dispatcher = await mountCallbackDispatcher(platform, values);
  const beside = [request, dispatcher, results, ingestion];
  const upstreams: GatewayPlatform['upstreams'] = (gateway) => [
    ownUpstream(own, [gateway, ...beside.map(({ operator }) => operator)], platform.clock),
  ];
  return [await mountGateway({ ...platform, upstreams }, values, results.downloads), ...beside];
}
