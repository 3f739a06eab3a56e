import { queryOptions } from '@tanstack/react-query';
import { api, readTagged } from '../api/client';
import type { components } from '../api/operator';

export type RequestStory = components['schemas']['OperatorRequestStory'];

/** A request as it was read; `tag` is what a change of it names. */
export interface ReadRequest {
  readonly story: RequestStory;
  readonly tag: string;
}

/** Which request. */
export interface Which {
  readonly ws: string;
  readonly srid: string;
}

/** The key of everything that is read of a request. */
export const keyOfRequest = ({ ws, srid }: Which) => ['request', ws, srid.toLowerCase()] as const;

export const requestQuery = (which: Which) =>
  queryOptions({
    queryKey: [...keyOfRequest(which), 'story'],
    queryFn: async ({ signal }): Promise<ReadRequest> => {
      const params = { path: { ...which } };
      const { body, tag } = await readTagged(api.GET('/operator/v1/requests/{ws}/{srid}', { params, signal }));
      return { story: body, tag };
    },
  });
