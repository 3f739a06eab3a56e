import type { Operator } from './operator';
import { isSame, newSecret } from './secrets';

/** A link that signs in once, as `admin` of everything, for a sandbox without an identity provider. Kept in memory alone. */
export class OneTimeLink {
  private secret: string | undefined = newSecret();

  constructor(private readonly subject: string) {}

  /** The secret of the link, to be shown at the start. Undefined once it was used. */
  get token(): string | undefined {
    return this.secret;
  }

  /** Uses the link. Undefined: it is wrong, or was used. */
  use(token: string): Operator | undefined {
    if (this.secret === undefined || !isSame(token, this.secret)) return undefined;
    this.secret = undefined;
    return { subject: this.subject, grants: [{ role: 'admin' }] };
  }
}
