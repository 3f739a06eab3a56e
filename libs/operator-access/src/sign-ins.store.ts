import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { digestOf, newSecret } from './secrets';

/** What the answer of the identity provider must fit. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

interface SignInDocument extends SignInChecks {
  /** SHA-256 of what the browser holds. */
  readonly _id: string;
  readonly endsAt: Date;
}

/** How long somebody has for the pages of the identity provider. */
export const SIGN_IN_MS = 600_000;

/** Sign-ins on their way through the identity provider, each taken once. `now` returns milliseconds since 1970. */
export class SignIns {
  private readonly signIns: Collection<SignInDocument>;

  constructor(
    connection: Connection,
    private readonly now: () => number,
  ) {
    this.signIns = declareCollection(connection, 'operator_sign_ins', [{ fields: { endsAt: 1 } }]);
  }

  /** Returns the secret that ties the sign-in to the browser. */
  async begin(checks: SignInChecks): Promise<string> {
    const secret = newSecret();
    await this.signIns.insertOne({ _id: digestOf(secret), ...checks, endsAt: new Date(this.now() + SIGN_IN_MS) });
    return secret;
  }

  /** Undefined: unknown, over, taken before, or of another state. That one stays: its browser may have begun another sign-in, or was sent by somebody else. */
  async take(secret: string, state: string): Promise<SignInChecks | undefined> {
    const found = await this.signIns.findOne({ _id: digestOf(secret), state, endsAt: { $gt: new Date(this.now()) } });
    if (!found) return undefined;
    const { deletedCount } = await this.signIns.deleteOne({ _id: found._id });
    return deletedCount === 1 ? found : undefined;
  }

  async removeEnded(): Promise<void> {
    await this.signIns.deleteMany({ endsAt: { $lte: new Date(this.now()) } });
  }
}
