import { mountCallbackDispatcher, type CallbackDispatcherPlatform } from '@opendsr-service/callback-dispatcher';
import { mountGateway, type GatewayPlatform } from '@opendsr-service/gateway';
import { mountIngestion, type IngestionPlatform } from '@opendsr-service/ingestion';
import { mountRequest, type RequestPlatform } from '@opendsr-service/request';
import { mountResults, type ResultsPlatform } from '@opendsr-service/results';
import type { HostedService } from '@opendsr-service/service';
import type { StandaloneValues } from './standalone.config';

type Platform = GatewayPlatform & RequestPlatform & CallbackDispatcherPlatform & IngestionPlatform & ResultsPlatform;

export async function mountAll(platform: Platform, values: StandaloneValues): Promise<HostedService[]> {
  const ingestion = await mountIngestion(platform, values);
  const results = await mountResults(platform, values, ingestion.exports);
  return [
    await mountGateway(platform, values, results.downloads),
    await mountRequest(platform, values),
    await mountCallbackDispatcher(platform, values),
    results,
    ingestion,
  ];
}
