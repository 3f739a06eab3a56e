import type { StartingParticipants } from '@opendsr-service/contracts';
import { dueInMs, type Clock, type DueSignal } from '@opendsr-service/service';
import { UnknownWorkspace, type Participants } from '@opendsr-service/workspaces';
import type { CommandPublisher } from '../admission/command-publisher.client';
import type { RequestDocument } from '../admission/request.document';
import type { AdmissionsStore } from '../admission/admissions.store';

const PAGE = 200;

/** Starts due requests. The write is also the claim, so every gateway may try (decision 7). */
export class StartWorker {
  /** How many starts share their reads. */
  readonly page: number = PAGE;

  constructor(
    private readonly store: AdmissionsStore,
    private readonly publisher: CommandPublisher,
    private readonly clock: Clock,
    private readonly parts: {
      readonly participants: Pick<Participants, 'participantsOf'>;
      readonly publishWaitMs: number;
      /** Tells when requests start that this process admitted. */
      readonly signal?: DueSignal;
    },
  ) {}

  get signal(): DueSignal | undefined {
    return this.parts.signal;
  }

  /** One page; resolves with the number due. */
  async runOnce(): Promise<number> {
    const now = this.clock.now();
    const due = await this.store.findDue(now, PAGE);
    const takingPart = this.participantsFor();
    await Promise.all(
      due.map(async (request) => {
        const started = await this.store.start(request, now, await takingPart(request));
        if (started) await this.publisher.send(started, this.parts.publishWaitMs);
      }),
    );
    return due.length;
  }

  /** Milliseconds until the next start. Undefined: none is stored. */
  dueInMs(): Promise<number | undefined> {
    return dueInMs(this.clock, (now) => this.store.nextStartAfter(now));
  }

  /** Asks once for each workspace and type. Undefined: the workspace is unknown, as in an older copy. */
  private participantsFor(): (of: RequestDocument) => Promise<StartingParticipants | undefined> {
    const asked = new Map<string, Promise<StartingParticipants | undefined>>();
    return ({ ws, type }) => {
      const name = `${ws} ${type}`;
      const answer = asked.get(name) ?? this.parts.participants.participantsOf(ws, type).catch(undefinedIfUnknown);
      asked.set(name, answer);
      return answer;
    };
  }
}

function undefinedIfUnknown(error: unknown): undefined {
  if (!(error instanceof UnknownWorkspace)) throw error;
}
