import { Controller, Get, Param, Res, UseFilters, UseGuards } from '@nestjs/common';
import { DsrErrorFilter, gone, notFound, sendStream, ServiceTokenGuard } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { ResultsDownload } from './results-download';

/** `GET /internal/results/:token` on the admin listener, for the gateway. */
@Controller('internal/results')
@UseFilters(DsrErrorFilter)
@UseGuards(ServiceTokenGuard)
export class ResultsController {
  constructor(private readonly downloads: ResultsDownload) {}

  @Get(':token')
  async download(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.downloads.open(token);
    if (answer.status === 404) throw notFound();
    if (answer.status === 410) throw gone();
    const headers = {
      'content-type': 'application/zip',
      'content-length': answer.bytes,
      'content-disposition': 'attachment; filename="results.zip"',
      'cache-control': 'no-store',
    };
    await sendStream(reply.headers(headers), answer.stream);
  }
}
