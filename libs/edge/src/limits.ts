/** What one HTTP server takes in. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  /** Largest body; one byte more is 413. */
  bodyBytes: number;
  /** Largest request line and headers together; more is 431. */
  headerBytes: number;
  /** Longest address in the request line; more is 414. */
  uriBytes: number;
  /** Most headers, whatever their size; more is 431. */
  headers: number;
  /** Time for the headers to arrive, else 408. */
  headersTimeoutMs: number;
  /** Time for headers and body to arrive, else 408. */
  requestTimeoutMs: number;
  /** How often the two timeouts above are looked at: they are exact to this. */
  timeoutCheckMs: number;
  /** How long an idle connection is kept; longer than the load balancer in front keeps it. */
  keepAliveTimeoutMs: number;
  /** Deepest nesting of a JSON body; deeper is 400. */
  jsonDepth: number;
  /** Most keys in a JSON body, over all its objects; more is 400. */
  jsonKeys: number;
  /** Most connections of all public listeners of the process together; more are refused with 503. */
  connections: number;
  /** Most of them of one address, an IPv6 /64 being one; 0: as many as of all. */
  connectionsPerAddress: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 262_144,
  headerBytes: 16_384,
  uriBytes: 8_192,
  headers: 200,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1_000,
  keepAliveTimeoutMs: 72_000,
  jsonDepth: 32,
  jsonKeys: 12_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
};
