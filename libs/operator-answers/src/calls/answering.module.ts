import { Module } from '@nestjs/common';
import { SERVICE_TOKENS, type ServiceTokens } from '@opendsr-service/edge';
import { OwnProcess, type Clock, type Host, type MountOptions } from '@opendsr-service/service';
import { OwnAnswers, type OwnDocuments } from '../own-answers';
import type { Upstream } from '../service-answers';
import { AnswersController } from './answers.controller';

@Module({})
class AnswersModule {}

/** What a process shows operators of itself, once it serves. */
export const ownProcessOf = ({ name = 'opendsr', settings = [] }: Host): OwnProcess => new OwnProcess(name, settings);

/** The services of this process, which are asked without HTTP. */
export function ownUpstream(own: OwnProcess, documents: readonly OwnDocuments[], clock: Clock): Upstream {
  const answers = new OwnAnswers(own, documents, clock);
  return { name: own.name, services: answers.services, answers };
}

/** What lets a process answer the gateway about itself and the documents of its services; nothing without `tokens`. */
export function answering(
  host: Host,
  documents: readonly OwnDocuments[],
  { clock, tokens }: { readonly clock: Clock; readonly tokens: ServiceTokens | undefined },
): Required<Pick<MountOptions, 'own' | 'modules'>> {
  const own = ownProcessOf(host);
  const answers = new OwnAnswers(own, documents, clock);
  const providers = [
    { provide: OwnAnswers, useValue: answers },
    { provide: SERVICE_TOKENS, useValue: tokens },
  ];
  return { own, modules: tokens ? [{ module: AnswersModule, controllers: [AnswersController], providers }] : [] };
}
