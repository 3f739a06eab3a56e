/** Limits of an HTTP server; beyond: 413 (body), 431 (headers), 414 (URI), 408 (times), 400 (JSON), 503 (connections, calls, bodies). */
export interface HttpLimits {
  bodyBytes: number;
  /** Of all public listeners together: bodies that are still arriving. */
  bodiesBytes: number;
  headerBytes: number;
  uriBytes: number;
  headers: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  timeoutCheckMs: number;
  /** For some of an answer to be sent. */
  answerTimeoutMs: number;
  /** Must exceed the idle timeout of the load balancer in front. */
  keepAliveTimeoutMs: number;
  jsonDepth: number;
  jsonKeys: number;
  /** Of all public listeners of the process together. */
  connections: number;
  /** For one IPv4 address or IPv6 /64; 0: no separate limit. */
  connectionsPerAddress: number;
  /** Of all public listeners together that the process works on at the same time. */
  calls: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 262_144,
  bodiesBytes: 67_108_864,
  headerBytes: 16_384,
  uriBytes: 8_192,
  headers: 200,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1_000,
  answerTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  jsonDepth: 32,
  jsonKeys: 12_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
  calls: 256,
};
