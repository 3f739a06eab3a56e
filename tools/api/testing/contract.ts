import { SchemaChecks } from '@opendsr-service/contracts/testing';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

interface Header {
  readonly required?: boolean;
  readonly schema?: { readonly type?: unknown };
  readonly $ref?: string;
}

interface DocumentedAnswer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, object>>;
}

type Operations = Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DocumentedAnswer>> }>>>
>;

/** Headers of the connection, of the body's form and of its keeping, which no document has to name. */
const TRANSPORT = [
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
];

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pointerTo = (...parts: readonly string[]): string => parts.map((part) => `/${escaped(part)}`).join('');

/** Holds what a running service says against its OpenAPI document. */
export class ApiContract {
  private readonly checks: SchemaChecks;

  constructor(private readonly document: object) {
    this.checks = new SchemaChecks(document);
  }

  /** What in an answer is not as the document has it; none: it is. */
  faultsOfAnswer(method: string, path: string, answer: Answer): string[] {
    const place = this.placeOf(method, path);
    if (!place) return [`${method} ${path} is not documented`];
    const { responses } = this.at(place) as { responses: Record<string, DocumentedAnswer> };
    const status = String(answer.status) in responses ? String(answer.status) : 'default';
    const [pointer, documented] = this.resolved(`${place}${pointerTo('responses', status)}`);
    // An answer that a document leaves to "every other" is one that any route gives, and never a success.
    if (status === 'default' && answer.status < 400) return [`${answer.status} is not documented`];
    return [...this.faultsOfHeaders(documented, answer), ...this.faultsOfContent(pointer, documented, answer)].map(
      (fault) => `${method} ${path} ${status}: ${fault}`,
    );
  }

  /** What in a body the document does not allow. */
  faultsOfBody(method: string, path: string, body: unknown): string[] {
    const place = this.placeOf(method, path);
    return place
      ? this.checks.faults(`${place}${pointerTo('requestBody', 'content', 'application/json', 'schema')}`, body)
      : [`${method} ${path} is not documented`];
  }

  /** Every example in the document that its schema does not fit. */
  faultsOfExamples(): string[] {
    return this.contents(this.document, '').flatMap(({ pointer, examples }) =>
      Object.entries(examples).flatMap(([name, { value }]) =>
        this.checks.faults(`${pointer}/schema`, value).map((fault) => `${pointer}/examples/${name}: ${fault}`),
      ),
    );
  }

  private faultsOfHeaders({ headers = {} }: DocumentedAnswer, answer: Answer): string[] {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const unknown = [...answer.headers.keys()]
      .filter((name) => !names.includes(name) && !TRANSPORT.includes(name))
      .map((name) => `the header ${name} is not documented`);
    const wrong = Object.entries(headers).flatMap(([name, given]) => {
      const header = given.$ref === undefined ? given : (this.at(given.$ref.slice(1)) as Header);
      const value = answer.headers.get(name);
      if (value === null) return header.required === true ? [`the header ${name} is missing`] : [];
      return header.schema?.type === 'integer' && !/^\d+$/.test(value) ? [`the header ${name} is no integer`] : [];
    });
    return [...unknown, ...wrong];
  }

  private faultsOfContent(pointer: string, { content }: DocumentedAnswer, { headers, body }: Answer): string[] {
    if (!content) return body.length === 0 ? [] : ['there is a body where none is documented'];
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (!(type in content)) return [`the content type ${type} is not documented`];
    return /^application\/(problem\+)?json$/.test(type)
      ? this.checks.faults(`${pointer}${pointerTo('content', type, 'schema')}`, JSON.parse(body.toString()))
      : [];
  }

  private placeOf(method: string, path: string): string | undefined {
    const { paths } = this.document as { paths: Operations };
    const fits = (template: string) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path.split('?', 1)[0] ?? '');
    // Where a template fits as well as a fixed path, the fixed one is meant.
    const template = Object.keys(paths)
      .filter(fits)
      .sort((a, b) => a.split('{').length - b.split('{').length)[0];
    return template === undefined || !(method.toLowerCase() in (paths[template] ?? {}))
      ? undefined
      : pointerTo('paths', template, method.toLowerCase());
  }

  private resolved(pointer: string): [string, DocumentedAnswer] {
    const answer = this.at(pointer) as DocumentedAnswer;
    return answer.$ref === undefined
      ? [pointer, answer]
      : [answer.$ref.slice(1), this.at(answer.$ref.slice(1)) as DocumentedAnswer];
  }

  private at(pointer: string): unknown {
    const parts = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], this.document);
  }

  /** Every place below that has a schema and examples of it. */
  private contents(
    value: unknown,
    pointer: string,
  ): { pointer: string; examples: Record<string, { value: unknown }> }[] {
    if (typeof value !== 'object' || value === null) return [];
    const { schema, examples } = value as { schema?: unknown; examples?: Record<string, { value: unknown }> };
    const here =
      schema !== undefined && examples !== undefined && !Array.isArray(examples) ? [{ pointer, examples }] : [];
    return [
      ...here,
      ...Object.entries(value).flatMap(([key, below]) => this.contents(below, `${pointer}/${escaped(key)}`)),
    ];
  }
}

/** An answer whose body has been read to its end. */
export async function received(answering: Promise<Response>): Promise<Answer> {
  const answer = await answering;
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}
