import { KIND_FILTERS } from '@opendsr-service/messaging';
import { idOfPath, idOfShown, SERVICE_NAMES } from '@opendsr-service/operator-answers';
import { matching, oneOf, optional, required } from '../options';
import { line } from '../participants/participant-options';

const parkedId = (text: string): string =>
  idOfPath(
    idOfShown(
      matching(
        /^[a-z-]{1,64}([/|~])[\w.-]{1,249}\1\d{1,10}\1\d{1,20}$/,
        'the id of a parked record, such as gateway/dsr.request-events.v1/3/17',
      )(text),
    ),
  );

export const id = required('ID', parkedId);
export const optionalId = optional('ID', parkedId);
export const by = required('NAME', line);
export const because = required('TEXT', line);
export const ofService = { service: optional(SERVICE_NAMES.join('|'), oneOf(SERVICE_NAMES)) };
export const filters = {
  workspace: optional('W', matching(/^[^\s:]{1,128}$/, 'the name of a workspace')),
  reason: optional('R', matching(/^\P{Cc}{1,256}$/u, 'a reason, such as version-gap')),
  kind: optional(KIND_FILTERS.join('|'), oneOf(KIND_FILTERS)),
};
