import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { DsrErrorFilter, entityTag, namesTag, notFound, pathOf } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublishedLog } from '../evidence/published-log';
import { TRANSPARENCY_PATH } from '../versions/routes';

/** A checkpoint is replaced within a second or two. */
const CACHE_BRIEFLY = 'public, max-age=1';
/** The path names the bytes. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const TILES = `${TRANSPARENCY_PATH}/tile/`;

/** The transparency log (C2SP tlog-tiles, docs/evidence.md). Needs no credentials. */
@Controller(TRANSPARENCY_PATH)
@UseFilters(DsrErrorFilter)
export class TransparencyController {
  constructor(@Inject(PublishedLog) private readonly log: PublishedLog) {}

  @Get('checkpoint')
  async checkpoint(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const note = await this.log.checkpoint();
    if (note === undefined) throw notFound();
    void reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': CACHE_BRIEFLY });
    sendTagged(http, reply, Buffer.from(note));
  }

  @Get('tile/*')
  async tile(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const bytes = await this.log.tile(pathOf(http.url).slice(TILES.length));
    if (!bytes) throw notFound();
    void reply.headers({ 'content-type': 'application/octet-stream', 'cache-control': CACHE_FOREVER });
    sendTagged(http, reply, bytes);
  }
}

function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, bytes: Buffer): void {
  const etag = entityTag(bytes);
  void reply.header('etag', etag);
  void (namesTag(headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(bytes));
}
