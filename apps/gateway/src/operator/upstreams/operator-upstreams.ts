import { withDeadline } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import {
  awayAnswer,
  SERVICE_NAMES,
  type ProcessAnswer,
  type ServiceAnswers,
  type ServiceName,
  type Upstream,
} from '@opendsr-service/operator-answers';
import type { Logger } from '@opendsr-service/service';

/** How long the answer of the API waits for one service. */
export const UPSTREAM_WAIT_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;

type Ask<A> = (answers: ServiceAnswers) => Promise<A>;

/** The services behind the API of the operator. One that is away makes its part unavailable, and nothing else. */
export class OperatorUpstreams {
  constructor(
    private readonly upstreams: readonly Upstream[],
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** What each process says of itself; of services that do not answer, that they are unavailable. */
  async processes(): Promise<readonly ProcessAnswer[]> {
    const answers = await Promise.all(
      this.upstreams.map(async (upstream) => {
        const answered = await this.answerOf(upstream, (answers) => answers.process());
        return answered?.answer ?? awayAnswer(upstream.name);
      }),
    );
    const known = this.upstreams.flatMap(({ services }) => services);
    return [...answers, ...SERVICE_NAMES.filter((name) => !known.includes(name)).map(awayAnswer)];
  }

  /** The answer of a service; undefined: there is none in time. */
  async ask<A>(service: ServiceName, ask: Ask<A>): Promise<{ readonly answer: A } | undefined> {
    const upstream = this.upstreams.find(({ services }) => services.includes(service));
    return upstream && this.answerOf(upstream, ask);
  }

  /** The answer of a service. Throws a 503 where there is none in time. */
  async demand<A>(service: ServiceName, ask: Ask<A>): Promise<A> {
    const answered = await this.ask(service, ask);
    if (!answered) throw unavailable(RETRY_AFTER_SECONDS);
    return answered.answer;
  }

  private async answerOf<A>({ name, answers }: Upstream, ask: Ask<A>): Promise<{ readonly answer: A } | undefined> {
    try {
      const answered = ask(answers).then((answer) => ({ answer }));
      return await withDeadline(answered, UPSTREAM_WAIT_MS, () => {
        throw new Error(`no answer within ${UPSTREAM_WAIT_MS} ms`);
      });
    } catch (error) {
      this.log.warn({ for: name, error }, 'A service does not answer the API of the operator');
      return undefined;
    }
  }
}
