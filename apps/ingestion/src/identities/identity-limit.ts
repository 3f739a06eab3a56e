import { isDeviceIdentity } from '@opendsr-service/contracts';
import { ApiError, invalid } from '@opendsr-service/edge';
import type { Logger } from '@opendsr-service/service';
import { AgedCache } from '@opendsr-service/vault';
import type { IdentitiesStore } from './identities.store';
import type { IdentitySlot } from './subject-matcher';

const REMEMBERED = { maxEntries: 10_000, maxAgeMs: 60_000 };

interface Owned {
  readonly ws: string;
  readonly mpid: string;
}

/** The call names a login identity for a profile that takes no more. Nothing of the call is stored. */
export class ProfileFull extends ApiError {
  constructor() {
    super(400, [invalid(`The body ${PROFILE_FULL}`)]);
  }
}

export const PROFILE_FULL = 'names a new login identity for a profile that has as many identities as a profile may.';

/**
 * How many identities a profile may have. Devices beyond it are left out, because an identity that many share, such as
 * the customer id of a shop, would collect them for ever. Login identities are refused: requests by them would miss data.
 * Calls at the same time may pass it by a few.
 */
export class IdentityLimit {
  private leftOut = 0;
  private readonly full = new AgedCache<true>(REMEMBERED, () => performance.now());

  constructor(
    private readonly most: number,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Whether the profile takes none of them, which are all devices, as of at most a minute ago. */
  async leavesOut(identities: IdentitiesStore, { ws, mpid }: Owned, slots: readonly IdentitySlot[]): Promise<boolean> {
    if (!slots.every(({ identity }) => isDeviceIdentity(identity.type))) return false;
    const id = `${ws}:${mpid}`;
    if (!this.full.get(id)) {
      if ((await this.roomIn(identities, ws, mpid)) > 0) return false;
      this.full.set(id, true);
    }
    this.countLeftOut(slots.length);
    return true;
  }

  async roomIn(identities: IdentitiesStore, ws: string, mpid: string): Promise<number> {
    return this.most - (await identities.countByProfile(ws, mpid, this.most));
  }

  /** Those that the profile takes. Throws ProfileFull. */
  async fitting(
    identities: IdentitiesStore,
    { ws, mpid }: Owned,
    slots: readonly IdentitySlot[],
  ): Promise<readonly IdentitySlot[]> {
    const room = await this.roomIn(identities, ws, mpid);
    if (slots.slice(room).some(({ identity }) => !isDeviceIdentity(identity.type))) throw new ProfileFull();
    this.countLeftOut(slots.length - room);
    return slots.slice(0, room);
  }

  private countLeftOut(count: number): void {
    if (count <= 0) return;
    const before = this.leftOut;
    this.leftOut += count;
    // At 1, 2, 4, 8 and so on: such a profile would fill the log.
    if (Math.clz32(before) !== Math.clz32(this.leftOut))
      this.log.warn({ count: this.leftOut }, 'Devices were left out of profiles that have the most identities');
  }
}
