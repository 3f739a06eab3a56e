import { mountCallbackDispatcher } from '@opendsr-service/callback-dispatcher';
import { mountGateway, type ResultsSource } from '@opendsr-service/gateway';
import { mountIngestion } from '@opendsr-service/ingestion';
import { mountRequest } from '@opendsr-service/request';
import { mountResults } from '@opendsr-service/results';
import type { HostedService } from '@opendsr-service/service';
import type { Platform } from './platform';
import { settings } from './settings';

/** The simulation has no downloads. */
const noDownloads: ResultsSource = { open: () => Promise.resolve({ status: 404 }) };

/** What runs together in one process. Results pulls its exports from the ingestion beside it. */
export const KINDS = {
  gateway: async (platform: Platform): Promise<HostedService[]> => [
    await mountGateway(platform, settings, noDownloads),
  ],
  request: async (platform: Platform): Promise<HostedService[]> => [await mountRequest(platform, settings)],
  dispatcher: async (platform: Platform): Promise<HostedService[]> => [
    await mountCallbackDispatcher(platform, settings),
  ],
  data: async (platform: Platform): Promise<HostedService[]> => {
    const ingestion = await mountIngestion(platform, settings);
    return [ingestion, await mountResults(platform, settings, ingestion.exports)];
  },
} as const;

export type Kind = keyof typeof KINDS;
