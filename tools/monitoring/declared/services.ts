import { mountCallbackDispatcher } from '@opendsr-service/callback-dispatcher';
import { mountGateway, type ResultsSource } from '@opendsr-service/gateway';
import { mountIngestion } from '@opendsr-service/ingestion';
import { mountRequest } from '@opendsr-service/request';
import { mountResults } from '@opendsr-service/results';
import { signingParts, type HostedService, type ServiceParts } from '@opendsr-service/service';
import { settings, type Platform } from './platform';

/** A service, and what its own `main` adds to it. */
export interface MountedService {
  readonly mounted: HostedService;
  readonly own?: ServiceParts;
}

const noDownloads: ResultsSource = { open: () => Promise.resolve({ status: 404 }) };
const signs = ({ signing, log }: Platform): ServiceParts => signingParts(signing, settings, log);

/** The five services by their names, each as its own process mounts it. */
export const SERVICES: Readonly<Record<string, (platform: Platform) => Promise<MountedService>>> = {
  gateway: async (platform) => ({ mounted: await mountGateway(platform, settings, noDownloads), own: signs(platform) }),
  request: async (platform) => ({ mounted: await mountRequest(platform, settings) }),
  'callback-dispatcher': async (platform) => ({
    mounted: await mountCallbackDispatcher(platform, settings),
    own: signs(platform),
  }),
  results: async (platform) => ({
    mounted: await mountResults(platform, settings, (await mountIngestion(platform, settings)).exports),
  }),
  ingestion: async (platform) => ({ mounted: await mountIngestion(platform, settings) }),
};
