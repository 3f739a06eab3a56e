import type { KeyDestroyed } from '@opendsr-service/contracts';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { Removal } from './removal';

/** Erases again, in a database that was restored from an older copy, whoever was erased since (D4). */
export class ReplayedErasures {
  constructor(
    private readonly profiles: ProfilesStore,
    private readonly removal: Removal,
  ) {}

  /** May be given a tombstone twice. */
  async apply(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const ofSubjects = tombstones.filter(({ scope }) => scope === 'subject');
    for (const ws of new Set(ofSubjects.map((tombstone) => tombstone.ws))) {
      const kids = ofSubjects.filter((tombstone) => tombstone.ws === ws).map(({ kid }) => kid);
      for (const { mpid } of await this.profiles.ofKeys(ws, kids)) await this.erase(ws, mpid);
    }
  }

  /** The profile leads to all else, so it goes last: what is cut off here is begun again. */
  private async erase(ws: string, mpid: string): Promise<void> {
    await this.removal.remove(ws, mpid, () => Promise.resolve());
    await this.removal.hide(ws, mpid);
  }
}
