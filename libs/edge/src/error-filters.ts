import { Catch, type ArgumentsHost, type ExceptionFilter, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from './answer-error';
import type { ErrorStyle } from './error-body';

function errorFilter(style: ErrorStyle): Type<ExceptionFilter> {
  @Catch()
  class ErrorFilter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost): void {
      const http = host.switchToHttp();
      answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), style);
    }
  }
  return ErrorFilter;
}

/** Answers errors of a controller with the DSR error body. Bind it with `@UseFilters`, never globally. */
export const DsrErrorFilter = errorFilter('dsr');

/** Answers errors of a controller with the body of the ingestion endpoints. Bind it with `@UseFilters`, never globally. */
export const IngestErrorFilter = errorFilter('ingest');

/** Answers errors of a controller of the operator's API with problem details. Bind it with `@UseFilters`, never globally. */
export const ProblemErrorFilter = errorFilter('problem');
