import { Readable } from 'node:stream';
import { Body, Controller, HttpCode, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import { BodyOf, DsrErrorFilter, sendStream, ServiceTokenGuard } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { ExportDto } from './exports.dto';
import { ndjson } from './ndjson';
import { ProfileExport } from './profile-export';

const PIECES_AHEAD = 2;

/** `POST /internal/exports`, on the admin listener: the stored data of the matched profiles as NDJSON. */
@Controller('internal')
@UseFilters(DsrErrorFilter)
@UseGuards(ServiceTokenGuard)
export class ExportsController {
  constructor(private readonly exports: ProfileExport) {}

  @Post('exports')
  @HttpCode(200)
  async export(@Body(new BodyOf(ExportDto)) request: ExportDto, @Res() reply: FastifyReply): Promise<void> {
    const items = this.exports.read(request);
    // Reads the first item before the headers, so that an export that cannot start is answered as an error.
    const first = await items.next();
    reply.header('content-type', 'application/x-ndjson').header('cache-control', 'no-store');
    await sendStream(reply, Readable.from(ndjson(first, items), { highWaterMark: PIECES_AHEAD }));
  }
}
