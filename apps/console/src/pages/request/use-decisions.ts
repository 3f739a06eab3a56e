import { useQueryClient } from '@tanstack/react-query';
import { api, readingAgain } from '../../api/client';
import { keyOfRequest, type ReadRequest } from '../../requests/request-query';

interface Decisions {
  readonly extend: (reason: string) => Promise<void>;
  readonly cancel: (reason: string) => Promise<void>;
  readonly waive: (name: string, reason: string) => Promise<void>;
  /** `tag`: of the callbacks as they were read. */
  readonly replay: (delivery: string, reason: string, tag: string) => Promise<void>;
}

const PATH = '/operator/v1/requests/{ws}/{srid}';

/** What can be decided about a request. Afterwards everything that is known of it is read again. */
export function useDecisions({ story, tag }: ReadRequest): Decisions {
  const client = useQueryClient();
  const which = { ws: story.workspace, srid: story.subject_request_id };
  const params = { path: which, header: { 'If-Match': tag } };
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: keyOfRequest(which) });
  const then = async (change: Promise<unknown>): Promise<void> => void (await readingAgain(change, readAgain));
  return {
    extend: (reason) => then(api.POST(`${PATH}/extension`, { params, body: { reason } })),
    cancel: (reason) => then(api.POST(`${PATH}/cancellation`, { params, body: { reason } })),
    waive: (name, reason) =>
      then(
        api.POST(`${PATH}/participants/{name}/waiver`, {
          params: { ...params, path: { ...which, name } },
          body: { reason },
        }),
      ),
    replay: (delivery, reason, callbacksTag) =>
      then(
        api.POST(`${PATH}/callbacks/{delivery}/replay`, {
          params: { path: { ...which, delivery }, header: { 'If-Match': callbacksTag } },
          body: { reason },
        }),
      ),
  };
}
