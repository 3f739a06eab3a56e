import { Module, type DynamicModule } from '@nestjs/common';
import { SERVICE_TOKENS, type ServiceTokens } from '@opendsr-service/edge';
import { OwnAnswers } from '../own-answers';
import { AnswersController } from './answers.controller';

/** Serves the answers of this process to the gateway. */
@Module({})
export class AnswersModule {
  static register(answers: OwnAnswers, tokens: ServiceTokens): DynamicModule {
    return {
      module: AnswersModule,
      controllers: [AnswersController],
      providers: [
        { provide: OwnAnswers, useValue: answers },
        { provide: SERVICE_TOKENS, useValue: tokens },
      ],
    };
  }
}
