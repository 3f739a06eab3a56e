import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError, type FailureRules, rulesOfServer } from './answer-error';
import { setRoute, type OnAnswered, observeAnswer } from './answered';
import { type ApiError, errorOfStatus, methodNotAllowed, notFound } from './api-error';
import { bodyFault } from './body-fault';
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
    /** The bytes of a JSON body as they came. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** Deepest nesting of JSON bodies of this route, where it is another than that of the server. */
    jsonDepth?: number;
  }
}

export interface AdapterOptions extends FailureRules {
  /** The style of errors that no controller answered, by path or pattern; without one the request was never read. Default: always `dsr`. */
  errorStyle?: (path: string | undefined) => ErrorStyle;
  /**
   * Addresses and networks of the proxies in front: from them alone `X-Forwarded-For` is believed, and `request.ip`
   * is the nearest hop that is none of them.
   */
  trustedProxies?: readonly string[];
  /** Told of every request that is over, on any listener. */
  answered?: OnAnswered;
}

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
  private readonly ownsOfServer = new WeakMap<Server, Owns>();
  private readonly ownsOfRequest = new WeakMap<IncomingMessage, Owns>();
  private readonly errorStyle: (path: string | undefined) => ErrorStyle;
  private readonly wire: ConnectionErrors;
  /** The connections of public listeners. */
  readonly room: ConnectionLimiter;

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
      // What comes while the routes close is answered by them as ever; the listeners decide who may still ask.
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
    this.room = new ConnectionLimiter(limits, (address) => isProxy !== false && isProxy(address));
    this.wire = new ConnectionErrors({
      errorStyle,
      onBegin: (request, response) => {
        if (options.answered) observeAnswer(request, response, options.answered);
      },
      onRefused: (status) => {
        options.answered?.({ method: undefined, route: undefined, status, durationSeconds: 0, callerClass: undefined });
      },
      noTunnel: (server) => methodNotAllowed(this.methods.of('*', this.ownsOfServer.get(server) ?? anyRoute)),
      route: (request, response) => {
        this.instance.routing(request, response);
      },
    });
    this.wire.attach(this.instance.server);
    rulesOfServer.set(this.instance, options);
    this.addHooks();
  }

  /**
   * A further listener, with the same limits, of the routes that it owns; all others are unknown there. What matched counts, not
   * what was written, so that no spelling of a path gets past. The instance must be ready before it listens.
   */
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
    this.instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      request.rawBody = body;
      done(null, undefined);
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
    this.instance.addHook('onRoute', ({ method, url }) => {
      this.methods.add(method, url);
    });
    this.instance.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      keepAddresses(request.raw.headers);
      done(this.refusalOf(request));
    });
    this.instance.addHook('preParsing', (request, reply, payload, done) => {
      // Nobody needs the body of what is not here.
      const fault = request.is404 ? this.unknown(request) : this.refusalOfBody(request, reply);
      if (!fault || request.is404 || this.wire.awaitsContinue(request.raw) || !mayBeEmpty(request.raw)) {
        done(fault);
        return;
      }
      request.headers['content-type'] = jsonContentType;
      done(null, onlyEmpty(payload as Readable, fault));
    });
    // Not in the parser: Fastify closes the connection on what fails there, though the whole body has come.
    this.instance.addHook('preValidation', (request, _reply, done) => {
      // Many clients name a content type on every call; whether a body is needed is the route's question.
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
      this.partFrom(request, reply);
      done(null, payload);
    });
  }

  private ownsOf(request: FastifyRequest): Owns {
    return this.ownsOfRequest.get(request.raw) ?? anyRoute;
  }

  private styleOf(request: FastifyRequest): ErrorStyle {
    return this.errorStyle(request.routeOptions.url ?? decoded(pathOf(request.url)));
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
    const methods = this.methods.of(pathOf(request.url), this.ownsOf(request));
    return methods.length > 0 && !methods.includes(request.method) ? methodNotAllowed(methods) : notFound();
  }

  private refusalOfBody({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    // A body of GET or HEAD means nothing, and is not looked at.
    if (raw.method === 'GET' || raw.method === 'HEAD') return undefined;
    if (!hasBody(raw)) {
      // Some clients name a type on every call; that of nothing does not matter.
      delete raw.headers['content-type'];
      return undefined;
    }
    const fault = bodyFault(raw.headers, routeOptions.bodyLimit);
    if (!fault) this.wire.sendContinue(raw, reply.raw);
    return fault;
  }

  /** Closes the connection after an answer to a body that is still coming, unless the little that is left may as well be read. */
  private partFrom({ raw }: FastifyRequest, reply: FastifyReply): void {
    if (this.wire.hasUnknownExpectation(raw)) reply.header('connection', 'close');
    if (raw.complete || !hasBody(raw)) return;
    const isLittle = Number(raw.headers['content-length'] ?? Infinity) <= this.limits.bodyBytes;
    if (!isLittle || this.wire.awaitsContinue(raw)) reply.header('connection', 'close');
    lingerAfterAnswer(raw);
  }
}

/** Makes the adapter that every HTTP app hands to Nest. */
export const createAdapter = (limits: HttpLimits, options?: AdapterOptions): EdgeAdapter =>
  new EdgeAdapter(limits, options);
