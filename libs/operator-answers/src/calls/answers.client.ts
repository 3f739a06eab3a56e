import { serviceCredentials, type ServiceTokens } from '@opendsr-service/edge';
import { tracedInternalCall } from '@opendsr-service/service';
import { QUESTIONS, type ServiceAnswers } from '../service-answers';

/** A service did not answer in time, or not with an answer. */
export class AnswerMissing extends Error {
  override readonly name = 'AnswerMissing';
}

/** Another process. */
interface AskedProcess {
  readonly adminUrl: string;
  readonly tokens: ServiceTokens;
  readonly waitMs: number;
}

/** The answers of another process, from its admin port. Each rejects with AnswerMissing after `waitMs`. */
export const answersOf = (asked: AskedProcess): ServiceAnswers =>
  Object.fromEntries(
    QUESTIONS.map((name) => [name, (question: object = {}) => ask(asked, name, question)]),
  ) as unknown as ServiceAnswers;

async function ask({ adminUrl, tokens, waitMs }: AskedProcess, name: string, question: object): Promise<unknown> {
  const url = `${adminUrl}/internal/operator/v1/${name}`;
  const headers = { 'content-type': 'application/json', ...(await serviceCredentials(tokens)) };
  const answer = await tracedInternalCall('POST', '/internal/operator/v1/:question', (trace) =>
    fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
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
  return answer.json();
}
