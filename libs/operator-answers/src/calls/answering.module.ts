import type { ServiceTokens } from '@opendsr-service/edge';
import { OwnProcess, type Clock, type Host, type MountOptions } from '@opendsr-service/service';
import { OwnAnswers, type OwnDocuments } from '../own-answers';
import { AnswersModule } from './answers.module';

/** What lets a process answer the gateway about itself and the documents of its services; nothing without `tokens`. */
export function answering(
  { name = 'opendsr', settings = [] }: Host,
  documents: readonly OwnDocuments[],
  { clock, tokens }: { readonly clock: Clock; readonly tokens: ServiceTokens | undefined },
): Required<Pick<MountOptions, 'own' | 'modules'>> {
  const own = new OwnProcess(name, settings);
  const answers = new OwnAnswers(own, documents, clock);
  return { own, modules: tokens ? [AnswersModule.register(answers, tokens)] : [] };
}
