import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { answerError, type FailureRules, rulesOfServer } from './answer-error';
import { setRoute, type OnAnswered, observeAnswer } from './answered';
import { type ApiError, errorOfStatus, methodNotAllowed, notFound } from './api-error';
import { bodyFault } from './body-fault';
import { BodyReader } from './body-reader';
import { CallLimiter } from './call-limiter';
import { ConnectionLimiter } from './connection-limiter';
import { mayBeEmpty, onlyEmpty } from './empty-body';
import type { ErrorStyle } from './error-body';
import { headFault } from './head-fault';
import type { HttpLimits } from './limits';
import { hasBody, lingerAfterAnswer } from './linger';
import { parseJson } from './lossless-json';
import { decoded, pathOf } from './path-of';
import { requestIdOf } from './request-id';
import { type Owns, RouteMethods } from './route-methods';
import { edgeHeaders, jsonContentType } from './send-json';
import { keepAddresses, trustOf } from './trusted-proxies';
import { ConnectionErrors } from './connection-errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as received. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    jsonDepth?: number;
  }
}

export interface AdapterOptions extends FailureRules {
  /** The style of errors before a controller, by path or pattern; undefined: the request was never read. Default: `dsr`. */
  errorStyle?: (path: string | undefined) => ErrorStyle;
  /** Addresses and networks of the proxies in front. Only they may set `X-Forwarded-For`. */
  trustedProxies?: readonly string[];
  answered?: OnAnswered;
}

const anyRoute: Owns = () => true;

/** Fastify gives 0 to a HEAD without content. The length of a 304 would be that of the 200 (RFC 9110, 8.6). */
const withoutLengthOf304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

const serverOptions = (limits: HttpLimits): ServerOptions => ({
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  connectionsCheckingInterval: limits.timeoutCheckMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  maxHeaderSize: limits.headerBytes,
  // Node answers a missing Host without a body; the adapter answers with one.
  requireHostHeader: false,
});

/** Nest's Fastify adapter with our limits and our error body. It replaces Nest's 404 and error handlers. */
export class EdgeAdapter extends FastifyAdapter {
  private readonly methods = new RouteMethods();
  private readonly ownsOfServer = new WeakMap<Server, Owns>();
  private readonly ownsOfRequest = new WeakMap<IncomingMessage, Owns>();
  private readonly errorStyle: (path: string | undefined) => ErrorStyle;
  private readonly wire: ConnectionErrors;
  private readonly bodies: BodyReader;
  readonly connectionLimiter: ConnectionLimiter;
  readonly callLimiter: CallLimiter;

  constructor(
    private readonly limits: HttpLimits,
    options: AdapterOptions = {},
  ) {
    const errorStyle = options.errorStyle ?? (() => 'dsr' as const);
    super({
      bodyLimit: limits.bodyBytes,
      // Fastify overwrites Node's request timeout with its own default of 0.
      requestTimeout: limits.requestTimeoutMs,
      connectionTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      http: serverOptions(limits),
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
      requestIdHeader: false,
      genReqId: requestIdOf,
      logger: false,
      trustProxy: trustOf(options.trustedProxies ?? []),
      // Routes answer while they close; the listeners decide who may still call.
      return503OnClosing: false,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', request.id);
        answerError(error, request, reply, this.styleOf(request));
      },
      clientErrorHandler: (error, socket) => {
        this.wire.clientError(error, socket);
      },
    });
    this.errorStyle = errorStyle;
    const isProxy = trustOf(options.trustedProxies ?? []);
    this.connectionLimiter = new ConnectionLimiter(limits, (address) => isProxy !== false && isProxy(address));
    this.wire = new ConnectionErrors({
      errorStyle,
      onBegin: (request, response) => {
        if (options.answered) observeAnswer(request, response, options.answered);
      },
      onRefused: (status) => {
        options.answered?.({ method: undefined, route: undefined, status, durationSeconds: 0, callerClass: undefined });
      },
      noTunnel: (server) => methodNotAllowed(this.methods.allowedAt('*', this.ownsOfServer.get(server) ?? anyRoute)),
      route: (request, response) => {
        this.instance.routing(request, response);
      },
    });
    this.wire.attach(this.instance.server);
    rulesOfServer.set(this.instance, options);
    this.callLimiter = new CallLimiter(limits);
    this.bodies = new BodyReader(limits, this.callLimiter);
    this.addHooks();
  }

  /** A further listener for the routes that it owns, judged by pattern. The instance must be ready before it listens. */
  createListener(owns: Owns = anyRoute): Server {
    const server = createServer(serverOptions(this.limits));
    const keep = (request: IncomingMessage) => void this.ownsOfRequest.set(request, owns);
    server.on('checkContinue', keep).on('checkExpectation', keep);
    server.on('clientError', (error, socket) => {
      this.wire.clientError(error, socket as Socket);
    });
    server.on('request', (request, response) => {
      keep(request);
      this.instance.routing(request, response);
    });
    this.ownsOfServer.set(server, owns);
    this.wire.attach(server);
    return server;
  }

  override registerParserMiddleware(): void {
    this.instance.removeAllContentTypeParsers();
    this.instance.addContentTypeParser('application/json', (request, payload, done) => {
      const length = request.headers['content-length'];
      const reading = {
        mostBytes: request.routeOptions.bodyLimit,
        announcedBytes: length === undefined ? undefined : Number(length),
        isLimited: this.callLimiter.guards(request.raw),
      };
      this.bodies.read(payload, reading, (error, body) => {
        request.rawBody = body;
        done(error ?? null);
      });
    });
  }

  override setErrorHandler(): typeof this.instance {
    return this.instance.setErrorHandler((error, request, reply) => {
      answerError(error, request, reply, this.styleOf(request));
    });
  }

  override setNotFoundHandler(): typeof this.instance {
    return this.instance.setNotFoundHandler((request, reply) => {
      answerError(this.unknown(request), request, reply, this.styleOf(request));
    });
  }

  private addHooks(): void {
    this.instance.decorateRequest('rawBody', undefined);
    this.instance.addHook('onRoute', (route) => {
      this.methods.add(route.method, route.url);
      if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], withoutLengthOf304].flat();
    });
    this.instance.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      keepAddresses(request.raw.headers);
      done(this.refusalOf(request));
    });
    this.callLimiter.addHooks(this.instance);
    this.instance.addHook('preParsing', (request, reply, payload, done) => {
      const fault = request.is404 ? this.unknown(request) : this.refusalOfBody(request, reply);
      if (!fault || request.is404 || this.wire.awaitsContinue(request.raw) || !mayBeEmpty(request.raw)) {
        done(fault);
        return;
      }
      request.headers['content-type'] = jsonContentType;
      done(null, onlyEmpty(payload as Readable, fault));
    });
    // Fastify closes the connection when a parser fails, although the whole body has arrived. `preValidation` is for checks of
    // its bytes.
    this.instance.addHook('preHandler', (request, _reply, done) => {
      // Many clients name a content type on every call; the route decides whether it needs a body.
      if (request.rawBody?.length)
        request.body = parseJson(
          request.rawBody,
          request.routeOptions.config.jsonDepth ?? this.limits.jsonDepth,
          this.limits.jsonKeys,
        );
      done();
    });
    this.instance.addHook('onSend', (request, reply, payload, done) => {
      for (const [name, value] of Object.entries(edgeHeaders)) if (!reply.hasHeader(name)) reply.header(name, value);
      this.closeAfterEarlyAnswer(request, reply);
      done(null, payload);
    });
  }

  private ownsOf(request: FastifyRequest): Owns {
    return this.ownsOfRequest.get(request.raw) ?? anyRoute;
  }

  private styleOf(request: FastifyRequest): ErrorStyle {
    const path = pathOf(request.url);
    return this.errorStyle(request.routeOptions.url ?? decoded(path) ?? path);
  }

  private refusalOf(request: FastifyRequest): ApiError | undefined {
    const { url } = request.routeOptions;
    if (url !== undefined) {
      if (!this.ownsOf(request)(url)) return notFound();
      setRoute(request.raw, url);
    }
    return this.wire.hasUnknownExpectation(request.raw) ? errorOfStatus(417) : headFault(request.raw, this.limits);
  }

  private unknown(request: FastifyRequest): ApiError {
    const methods = this.methods.allowedAt(pathOf(request.url), this.ownsOf(request));
    return methods.length > 0 && !methods.includes(request.method) ? methodNotAllowed(methods) : notFound();
  }

  private refusalOfBody({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    if (raw.method === 'GET' || raw.method === 'HEAD') return undefined;
    if (!hasBody(raw)) {
      // Some clients name a content type without a body.
      delete raw.headers['content-type'];
      return undefined;
    }
    const fault = bodyFault(raw.headers, routeOptions.bodyLimit);
    if (!fault) this.wire.sendContinue(raw, reply.raw);
    return fault;
  }

  /** Closes the connection when the answer precedes the end of the body, unless little of it is left. */
  private closeAfterEarlyAnswer({ raw }: FastifyRequest, reply: FastifyReply): void {
    if (this.wire.hasUnknownExpectation(raw)) reply.header('connection', 'close');
    if (raw.complete || !hasBody(raw)) return;
    const isLittle = Number(raw.headers['content-length'] ?? Infinity) <= this.limits.bodyBytes;
    if (!isLittle || this.wire.awaitsContinue(raw)) reply.header('connection', 'close');
    lingerAfterAnswer(raw);
  }
}

export const createAdapter = (limits: HttpLimits, options?: AdapterOptions): EdgeAdapter =>
  new EdgeAdapter(limits, options);
