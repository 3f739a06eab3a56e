import type { Kafka } from 'kafkajs';
import { GroupInUse, LogAway } from '../errors';
import { withAdmin } from './client';
import { missingRight } from './connection-fault';
import { brokerLost, coordinatorMoved, groupHasMembers, groupUnknown } from './faults';
import { retryUntilSettled } from './retry-until-settled';

export class KafkaGroups {
  constructor(private readonly newClient: () => Kafka) {}

  hasMembers(group: string): Promise<boolean> {
    return this.errand(`Describe on group ${group}`, () =>
      withAdmin(this.newClient(), async (admin) => {
        const { groups } = await admin.describeGroups([group]);
        return groups.some(({ members }) => members.length > 0);
      }),
    );
  }

  /** The broker itself refuses while there are members. */
  rewind(group: string): Promise<void> {
    return this.errand(`Delete on group ${group}`, () =>
      withAdmin(this.newClient(), async (admin) => {
        try {
          await admin.deleteGroups([group]);
        } catch (error) {
          if (groupUnknown(error)) return;
          throw groupHasMembers(error) ? new GroupInUse(group, { cause: error }) : error;
        }
      }),
    );
  }

  private async errand<T>(needs: string, run: () => Promise<T>): Promise<T> {
    try {
      // kafkajs retries too few times while a group is loading, and only on the broker that it found first.
      return await retryUntilSettled(run, coordinatorMoved);
    } catch (error) {
      throw brokerLost(error)
        ? new LogAway('the log went away while its groups were asked for', { cause: error })
        : (missingRight(error, needs) ?? error);
    }
  }
}
