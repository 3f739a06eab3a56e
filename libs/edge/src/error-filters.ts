import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from './answer-error';
import type { ErrorStyle } from './error-body';

function answer(error: unknown, host: ArgumentsHost, style: ErrorStyle): void {
  const http = host.switchToHttp();
  answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), style);
}

/** Answers errors of a controller with the DSR error body. Bind it with `@UseFilters`, never globally. */
@Catch()
export class DsrErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    answer(error, host, 'dsr');
  }
}

/** Answers errors of a controller with the body of the ingestion endpoints. Bind it with `@UseFilters`, never globally. */
@Catch()
export class IngestErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    answer(error, host, 'ingest');
  }
}

/** Answers errors of a controller of the operator's API with problem details. Bind it with `@UseFilters`, never globally. */
@Catch()
export class ProblemErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    answer(error, host, 'problem');
  }
}
