import type { SignedCallback, CallbackSender, TryOutcome } from '@opendsr-service/callback-dispatcher';
import type { RequestStatus } from '@opendsr-service/contracts';
import type { Chance } from '../engine/chance';
import type { Owner } from '../engine/owner';
import type { Fate, Gate } from '../engine/step';
import type { VirtualTime } from '../engine/virtual-time';
import type { History, Sending } from '../history';
import type { Leases } from '../stores/leases';

/** The longest that one try to send takes. */
const PATIENCE_MS = 15_000;
/** How often a receiver takes its time, and how often it refuses, in rough weather. */
const SLOW = 0.4;
const REFUSES = 0.2;

interface ReceiverParts {
  readonly gate: Gate;
  readonly history: History;
  readonly chance: Chance;
  readonly leases: Leases;
  readonly time: VirtualTime;
  /** Whether receivers are slow, and cannot take a callback now and then. */
  readonly isRough: () => boolean;
}

/** The servers of the controllers: they take callbacks, refuse them for now, cannot be reached, or take one and do not get to say so. */
export class Receiver {
  constructor(private readonly parts: ReceiverParts) {}

  /** The way of one process to them. */
  senderOf(owner: Owner): CallbackSender {
    const { gate, history, leases, time } = this.parts;
    return {
      close: () => Promise.resolve(),
      post: async (callback) => {
        const { srid, status } = factsOf(callback);
        const sending: Sending = {
          srid,
          status,
          url: callback.url,
          beganMs: time.ms,
          leaseUntilMs: leases.until(owner, srid, callback.headers['X-Delivery-Id'] ?? ''),
        };
        history.sendings.push(sending);
        const slowMs = this.happens(SLOW) ? this.parts.chance.between(PATIENCE_MS / 3, PATIENCE_MS - 1) : 0;
        if (slowMs > 0) await time.wait(slowMs);
        // Time may have jumped past the end of that wait.
        const patienceMs = PATIENCE_MS - (time.ms - sending.beganMs);
        return gate.enter<TryOutcome>(owner, {
          what: `callback of ${srid}: ${status}`,
          mayBe: ['refused', 'lost'],
          patienceMs,
          run: (fate) => this.answer(callback, sending, fate),
        });
      },
    };
  }

  private happens(probability: number): boolean {
    return this.parts.isRough() && this.parts.chance.happens(probability);
  }

  private answer(callback: SignedCallback, sending: Sending, fate: Fate): TryOutcome {
    if (this.parts.time.ms - sending.beganMs >= PATIENCE_MS)
      return { kind: 'failed', reason: 'timeout', durationMs: PATIENCE_MS };
    if (fate === 'refused') return { kind: 'failed', reason: 'unreachable', durationMs: 1 };
    if (this.happens(REFUSES)) return { kind: 'failed', reason: 'receiver', status: 503, durationMs: 1 };
    sending.takenMs = this.parts.time.ms;
    this.parts.history.taken.push({ url: callback.url, ...factsOf(callback), at: this.parts.history.next() });
    return fate === 'lost'
      ? { kind: 'failed', reason: 'timeout', durationMs: PATIENCE_MS }
      : { kind: 'delivered', status: 202, durationMs: 1 };
  }
}

function factsOf({ body }: SignedCallback): { srid: string; status: RequestStatus } {
  const { subject_request_id: srid, request_status: status } = JSON.parse(body.toString()) as {
    subject_request_id: string;
    request_status: RequestStatus;
  };
  return { srid, status };
}
