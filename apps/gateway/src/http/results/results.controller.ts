import { Controller, Get, Inject, Param, Res, UseFilters, type Type } from '@nestjs/common';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { DsrErrorFilter, gone, notFound, sendStream } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { RESULTS_SOURCE } from '../tokens';
import type { ResultsSource } from './results-source';

/** Needs no credentials: the token is the proof (protocol, "Results download"). */
export function resultsController(version: ProtocolVersion): Type {
  @Controller(`${version.root}/results`)
  @UseFilters(DsrErrorFilter)
  class ResultsController {
    constructor(@Inject(RESULTS_SOURCE) private readonly source: ResultsSource) {}

    @Get(':token')
    async download(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
      const answer = await this.source.open(token);
      if (answer.status === 404) throw notFound('There are no results under this link.');
      if (answer.status === 410) throw gone('The results are no longer available.');
      reply.headers({
        'content-type': 'application/zip',
        'content-length': answer.bytes,
        'content-disposition': 'attachment; filename="results.zip"',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
      await sendStream(reply, answer.stream);
    }
  }
  return ResultsController;
}
