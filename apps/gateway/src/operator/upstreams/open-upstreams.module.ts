import type { OperatorUpstreamValues } from '@opendsr-service/config';
import type { ServiceTokens } from '@opendsr-service/edge';
import { AnswersClient, type ServiceName, type Upstream } from '@opendsr-service/operator-answers';
import { UPSTREAM_WAIT_MS } from './operator-upstreams';

/** The services in other processes. */
export const remoteUpstreams = (
  { OPERATOR_UPSTREAMS: upstreams }: OperatorUpstreamValues,
  tokens: ServiceTokens,
): readonly Upstream[] =>
  upstreams.map((upstream) => {
    const [name, url] = upstream.split('=', 2) as [ServiceName, string];
    return { name, services: [name], answers: new AnswersClient(url, tokens, UPSTREAM_WAIT_MS) };
  });
