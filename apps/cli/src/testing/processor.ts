import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import {
  ensureSandboxCertificates,
  loadSigners,
  type SandboxCertificates,
  type Signers,
} from '@opendsr-service/signing';

interface Signed {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A service as its receivers know it: discovery and certificates over HTTP, and callbacks that its sandbox's certificates sign. */
export class Processor {
  private constructor(
    readonly dataDir: string,
    readonly certificates: SandboxCertificates,
    private readonly signers: Signers,
    private readonly server: Server,
  ) {}

  static async open(): Promise<Processor> {
    const dataDir = mkdtempSync(join(tmpdir(), 'cli-listen-'));
    const now = new Date();
    const domains = { domainV2: 'opendsr.localhost', domainV1: 'opengdpr.localhost' };
    const certificates = await ensureSandboxCertificates(join(dataDir, 'certificates'), { ...domains, now });
    const signers = await loadSigners(
      { v2: { ...certificates.v2, domain: domains.domainV2 }, v1: { ...certificates.v1, domain: domains.domainV1 } },
      now,
    );
    const server = createServer((asked, answer) => {
      const [, root, what] = asked.url?.split('/') ?? [];
      const here = `http://localhost:${(server.address() as AddressInfo).port}`;
      if (what === 'discovery')
        answer
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ processor_certificate: `${here}/${root}/certificate.pem` }));
      else
        answer
          .setHeader('content-type', 'application/x-pem-file')
          .end(readFileSync(root === 'v1' ? certificates.v1.chainFile : certificates.v2.chainFile));
    }).listen(0, 'localhost');
    await once(server, 'listening');
    return new Processor(dataDir, certificates, signers, server);
  }

  /** What the environment of `dsr` holds beside this service. */
  get env(): Readonly<Record<string, string>> {
    return { DATA_DIR: this.dataDir, PORT: String((this.server.address() as AddressInfo).port) };
  }

  /** A callback as it is sent; `change` overwrites fields of its body. */
  async callback(
    url: string,
    change: Readonly<Record<string, unknown>> = {},
    version: ProtocolVersion = V2,
  ): Promise<Signed> {
    const body = Buffer.from(
      JSON.stringify({
        controller_id: '1402',
        expected_completion_time: '2026-01-05T10:00:00Z',
        status_callback_url: url,
        subject_request_id: randomUUID(),
        request_status: 'completed',
        api_version: version.apiVersion,
        results_url: null,
        extensions: null,
        ...change,
      }),
    );
    const signer = version === V1 ? this.signers.v1 : this.signers.v2;
    if (!signer) throw new Error('both versions have a signer');
    return {
      body,
      headers: {
        'Content-Type': 'application/json',
        [version.domainHeader]: signer.domain,
        [version.signatureHeader]: await signer.sign(body),
        'X-Delivery-Id': randomUUID(),
      },
    };
  }

  /** Sends as the service does: over TLS, by the sandbox's authority. */
  async post(
    url: string,
    { body, headers }: Signed,
    method = 'POST',
  ): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers'] }> {
    const sent = request(url, {
      method,
      ca: readFileSync(this.certificates.authorityFile),
      agent: false,
      headers: { ...headers, 'Content-Length': body.length },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await buffer(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers };
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
    rmSync(this.dataDir, { recursive: true });
  }
}
