import type { OperatorUpstreamValues } from '@opendsr-service/config';
import type { ServiceTokens } from '@opendsr-service/edge';
import { answersOf, type ServiceName, type Upstream } from '@opendsr-service/operator-answers';
import { UPSTREAM_WAIT_MS } from './operator-upstreams';

/** The services in other processes. */
export const remoteUpstreams = (
  { OPERATOR_UPSTREAMS: upstreams }: OperatorUpstreamValues,
  tokens: ServiceTokens,
): readonly Upstream[] =>
  upstreams.map((upstream) => {
    const [name, url] = upstream.split('=', 2) as [ServiceName, string];
    return { name, services: [name], answers: answersOf({ adminUrl: url, tokens, waitMs: UPSTREAM_WAIT_MS }) };
  });
