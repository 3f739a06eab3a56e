/** Limits of an HTTP server; beyond: 413 (body), 431 (headers), 414 (URI), 408 (times), 400 (JSON), 503 (connections, calls, bodies). */
export type HttpLimits = typeof defaultLimits;

export const defaultLimits = {
  bodyBytes: 262_144,
  /** Of all public listeners together: bodies that are still arriving. */
  bodiesBytes: 67_108_864,
  headerBytes: 16_384,
  uriBytes: 8_192,
  headers: 200,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1_000,
  /** For some of an answer to be sent. */
  answerTimeoutMs: 60_000,
  /** Must exceed the idle timeout of the load balancer in front. */
  keepAliveTimeoutMs: 72_000,
  jsonDepth: 32,
  jsonKeys: 12_000,
  /** Of all public listeners of the process together. */
  connections: 10_000,
  /** For one IPv4 address or IPv6 /64; 0: no separate limit. */
  connectionsPerAddress: 1_000,
  /** Of all public listeners together that the process works on at the same time. */
  calls: 256,
};
