import 'reflect-metadata';
import { main, openStores, replicationOf, serveMounted, systemClock, topicsStep } from '@opendsr-service/runtime';
import { checkRequest, requestTable } from './request.config';
import { mountRequest } from './request.module';

void main({
  name: 'request',
  meaning: 'decides what becomes of requests: commands and reports in, events out',
  table: requestTable,
  check: checkRequest,
  run: async (values, host) => {
    const { storage, events, closing } = await openStores(values, 'request');
    const request = await mountRequest({ storage, events, clock: systemClock }, values);
    return serveMounted(values, host, { services: [request], first: [topicsStep(events, replicationOf(values))], closing });
  },
});
