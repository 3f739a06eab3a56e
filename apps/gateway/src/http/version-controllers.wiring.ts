import type { Type } from '@nestjs/common';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { attestationsController } from './attestations/attestations.controller';
import { callbacksController } from './callbacks/callbacks.controller';
import { discoveryController } from './discovery/discovery.controller';
import { requestsController } from './requests/requests.controller';
import { resultsController } from './results/results.controller';

/** The controllers of one version of the interface. */
export const versionControllers = (version: ProtocolVersion): readonly Type[] =>
  [requestsController, callbacksController, attestationsController, discoveryController, resultsController].map(
    (controllerOf) => controllerOf(version),
  );
