import { applyDecorators, Catch, UseFilters } from '@nestjs/common';
import type { RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';

/** Nest's filter replaces errors by a general one; the loop needs the cause. */
@Catch()
class KeepCause implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Marks a controller method as the batch handler of a topic, for the strategy with that symbol. The method takes
 * `readonly LogRecord[]` and returns `Promise<readonly Verdict[]>`, one verdict for each record.
 */
export const ConsumeBatch = (topic: string, transport: symbol): MethodDecorator =>
  applyDecorators(EventPattern<string>(topic, transport), UseFilters(KeepCause));
