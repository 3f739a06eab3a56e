import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError, reportOfServer, type ReportFailure } from './answer-error';
import { type ApiError, badRequest, errorOfStatus, invalid, methodNotAllowed, notFound } from './api-error';
import { answerClientError } from './client-error';
import type { ErrorStyle } from './error-body';
import { errorBytes } from './error-body';
import type { HttpLimits } from './limits';
import { parseJson } from './lossless-json';
import { requestIdOf } from './request-id';
import { type Owns, RouteMethods } from './route-methods';
import { jsonContentType } from './send-json';
import { keepAddresses, trustOf } from './trusted-proxies';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as they came. */
    rawBody: Buffer | undefined;
  }
}

export interface AdapterOptions {
  /** The style of errors that no controller answered; without a path the request was never read. Default: always `dsr`. */
  errorStyle?: (path: string | undefined) => ErrorStyle;
  report?: ReportFailure;
  /** Addresses and networks of the proxies in front: from them alone `X-Forwarded-For` is believed, and `request.ip` is the nearest hop that is none of them. */
  trustedProxies?: readonly string[];
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

const anyRoute: Owns = () => true;

const serverOptions = (limits: HttpLimits): ServerOptions => ({
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  connectionsCheckingInterval: limits.timeoutCheckMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  maxHeaderSize: limits.headerBytes,
  // Node would answer a missing Host without a body; the adapter does it with one.
  requireHostHeader: false,
});

/**
 * Nest's Fastify adapter with our limits, and with our error body wherever the framework answers by itself.
 * It replaces Nest's 404 and error handlers, which would answer in Nest's own shape.
 */
export class EdgeAdapter extends FastifyAdapter {
  private readonly methods = new RouteMethods();
  private readonly owners = new WeakMap<IncomingMessage, Owns>();
  private readonly errorStyle: (path: string | undefined) => ErrorStyle;

  constructor(
    private readonly limits: HttpLimits,
    options: AdapterOptions = {},
  ) {
    const errorStyle = options.errorStyle ?? (() => 'dsr' as const);
    super({
      bodyLimit: limits.bodyBytes,
      // Fastify would write its own 0 over Node's request timeout, so the value is given in both places.
      requestTimeout: limits.requestTimeoutMs,
      connectionTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      http: serverOptions(limits),
      // A token in a path may be long; the size of all headers is limited anyway.
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
      requestIdHeader: false,
      genReqId: requestIdOf,
      logger: false,
      trustProxy: trustOf(options.trustedProxies ?? []),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', request.id);
        answerError(error, request, reply, errorStyle(pathOf(request)));
      },
      clientErrorHandler: (error, socket) => {
        answerClientError(error, socket, errorStyle(undefined));
      },
    });
    this.errorStyle = errorStyle;
    if (options.report) reportOfServer.set(this.instance, options.report);
    this.instance.server.on('checkExpectation', (_request, response: ServerResponse) => {
      this.refuseExpectation(response);
    });
    this.instance.decorateRequest('rawBody', undefined);
    this.instance.addHook('onRoute', ({ method, url }) => {
      this.methods.add(method, url);
    });
    this.instance.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      keepAddresses(request.raw.headers);
      done(this.refusalOf(request));
    });
  }

  /**
   * A further listener, with the same limits, of the routes that it owns; all others are unknown there. What matched counts, not
   * what was written, so that no spelling of a path gets past. The instance must be ready before it listens.
   */
  createListener(owns: Owns = anyRoute): Server {
    const server = createServer(serverOptions(this.limits), (request, response) => {
      this.owners.set(request, owns);
      this.instance.routing(request, response);
    });
    server.on('clientError', (error, socket) => {
      answerClientError(error, socket as Parameters<typeof answerClientError>[1], this.errorStyle(undefined));
    });
    server.on('checkExpectation', (_request, response) => {
      this.refuseExpectation(response);
    });
    return server;
  }

  override registerParserMiddleware(): void {
    this.instance.removeAllContentTypeParsers();
    this.instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      request.rawBody = body;
      // Many clients name a content type on every call; whether a body is needed is the route's question.
      if (body.length === 0) {
        done(null, undefined);
        return;
      }
      try {
        done(null, parseJson(body, this.limits.jsonDepth, this.limits.jsonKeys));
      } catch (error) {
        done(error as Error);
      }
    });
  }

  override setErrorHandler(): typeof this.instance {
    return this.instance.setErrorHandler((error, request, reply) => {
      answerError(error, request, reply, this.errorStyle(pathOf(request)));
    });
  }

  override setNotFoundHandler(): typeof this.instance {
    return this.instance.setNotFoundHandler((request, reply) => {
      const methods = this.methods.of(pathOf(request), this.ownerOf(request));
      const wrongMethod = methods.length > 0 && !methods.includes(request.method);
      answerError(wrongMethod ? methodNotAllowed(methods) : notFound(), request, reply, this.errorStyle(pathOf(request)));
    });
  }

  private ownerOf(request: FastifyRequest): Owns {
    return this.owners.get(request.raw) ?? anyRoute;
  }

  private refusalOf(request: FastifyRequest): ApiError | undefined {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) return badRequest([invalid('The header Host is missing.')]);
    const { url } = request.routeOptions;
    return url !== undefined && !this.ownerOf(request)(url) ? notFound() : undefined;
  }

  private refuseExpectation(response: ServerResponse): void {
    const body = errorBytes(errorOfStatus(417), this.errorStyle(undefined));
    response.writeHead(417, { 'content-type': jsonContentType, 'content-length': body.length, connection: 'close' }).end(body);
  }
}

/** Makes the adapter that every HTTP app hands to Nest. */
export const createAdapter = (limits: HttpLimits, options?: AdapterOptions): EdgeAdapter => new EdgeAdapter(limits, options);
