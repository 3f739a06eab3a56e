import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/operator';

export type RequestStory = components['schemas']['OperatorRequestStory'];

/** A request as it was read; `tag` is what a change of it names. */
export interface ReadRequest {
  readonly story: RequestStory;
  readonly tag: string;
}

export const requestQuery = (ws: string, srid: string) =>
  queryOptions({
    queryKey: ['request', ws, srid],
    queryFn: async ({ signal }): Promise<ReadRequest> => {
      let tag = '';
      const call = api.GET('/operator/v1/requests/{ws}/{srid}', { params: { path: { ws, srid } }, signal });
      const story = await bodyOf(
        call.then((answer) => {
          tag = answer.response.headers.get('etag') ?? '';
          return answer;
        }),
      );
      return { story, tag };
    },
  });
