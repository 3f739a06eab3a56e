import { serviceCredentials, type ServiceTokens } from '@opendsr-service/edge';
import { tracedInternalCall } from '@opendsr-service/service';
import type { RequestState } from '../requests/request-state-schemas';
import type { ProcessAnswer } from '../process/process-answer';
import type {
  DestinationCounts,
  DestinationCountsQuestion,
  DestinationDetail,
  DestinationPage,
  DestinationsQuestion,
  HostQuestion,
  ParkedDetail,
  ParkedDrop,
  ParkedPage,
  ParkedQuestion,
  ParkedRedrive,
  RecordQuestion,
  Refused,
  RequestStateQuestion,
  ServiceAnswers,
} from '../service-answers';

/** A service did not answer in time, or not with an answer. */
export class AnswerMissing extends Error {
  override readonly name = 'AnswerMissing';
}

/** The answers of another process, from its admin port. Each rejects with AnswerMissing after `waitMs`. */
export class AnswersClient implements ServiceAnswers {
  constructor(
    private readonly adminUrl: string,
    private readonly tokens: ServiceTokens,
    private readonly waitMs: number,
  ) {}

  process = () => this.ask<ProcessAnswer>('process', {});
  destinations = (question: DestinationsQuestion) => this.ask<DestinationPage>('destinations', question);
  destinationCounts = (question: DestinationCountsQuestion) =>
    this.ask<DestinationCounts>('destinationCounts', question);
  destination = (question: HostQuestion) => this.ask<DestinationDetail | null>('destination', question);
  requestState = (question: RequestStateQuestion) => this.ask<RequestState | null>('requestState', question);
  parked = (question: ParkedQuestion) => this.ask<ParkedPage>('parked', question);
  parkedRecord = (question: RecordQuestion) => this.ask<ParkedDetail | null>('parkedRecord', question);
  redriveRecord = (question: RecordQuestion) => this.ask<ParkedRedrive | Refused | null>('redriveRecord', question);
  redriveRecords = (question: Omit<ParkedQuestion, 'limit'>) => this.ask<ParkedRedrive>('redriveRecords', question);
  dropRecord = (question: RecordQuestion) => this.ask<ParkedDrop | Refused | null>('dropRecord', question);

  private async ask<A>(name: keyof ServiceAnswers, question: object): Promise<A> {
    const url = `${this.adminUrl}/internal/operator/v1/${name}`;
    const headers = { 'content-type': 'application/json', ...(await serviceCredentials(this.tokens)) };
    const answer = await tracedInternalCall('POST', '/internal/operator/v1/:question', (trace) =>
      fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(this.waitMs),
        headers: { ...headers, ...trace },
        body: JSON.stringify(question),
      }),
    ).catch((cause: unknown) => {
      throw new AnswerMissing('a service does not answer', { cause });
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new AnswerMissing(`a service answers ${answer.status}`);
    }
    return (await answer.json()) as A;
  }
}
