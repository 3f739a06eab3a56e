import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiVersion } from '@opendsr-service/contracts';
import { ensureSandboxCertificates, type CertificateFiles, type SandboxCertificates } from '@opendsr-service/signing';
import { Receiver } from '../../receiver/receiver';
import { runConformance, type Report } from '../run';
import type { ConformanceOptions } from '../target';
import { KNOWN_EMAIL } from './fake-intake';
import type { FakeOptions, FakeSigner } from './fake-options';
import { ACCOUNTS, FakeProcessor, OLD_TOKEN } from './fake-processor';

export const DOMAINS = { '1.0': 'opengdpr.fake.example', '2.0': 'opendsr.fake.example' } as const;
const quick = {
  notes: true,
  callsPerMinute: 0,
  waitMs: 10_000,
  portabilityWaitMs: 0,
  callbackIntervalMs: 1,
  keep: true,
} as const;

export interface Wish extends Partial<Pick<FakeOptions, 'broken' | 'isPortabilityQuick'>> {
  readonly signers?: Readonly<Partial<Record<ApiVersion, Partial<FakeSigner>>>>;
  /** By default only version 2. */
  readonly versions?: readonly ApiVersion[];
  readonly options?: Partial<ConformanceOptions>;
  readonly isOldLinkUnknown?: true;
}

const read = (file: string) => readFile(file, 'utf8');

/** What specs run the suite with: certificates, a receiver of callbacks, and a fake processor for each run. */
export class Rig {
  private constructor(
    readonly folder: string,
    readonly files: SandboxCertificates,
    readonly fakeOptions: FakeOptions,
    private readonly receiver: Receiver,
  ) {}

  static async start(): Promise<Rig> {
    const folder = await mkdtemp(join(tmpdir(), 'opendsr-conformance-'));
    const files = await ensureSandboxCertificates(folder, {
      domainV2: DOMAINS['2.0'],
      domainV1: DOMAINS['1.0'],
      now: new Date(),
    });
    const signers = {
      '1.0': await signerOf(DOMAINS['1.0'], files.v1),
      '2.0': await signerOf(DOMAINS['2.0'], files.v2),
    };
    const receiver = await Receiver.start({
      keyPem: await read(files.receiver.keyFile),
      chainPem: await read(files.receiver.chainFile),
    });
    return new Rig(folder, files, { signers, authorityPem: await read(files.authorityFile) }, receiver);
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await rm(this.folder, { recursive: true });
  }

  /** Runs the suite against a fake that does one thing wrong, with everything that rules may need. */
  async report({ signers = {}, versions = ['2.0'], options, isOldLinkUnknown, ...wish }: Wish): Promise<Report> {
    const { authorityPem, signers: right } = this.fakeOptions;
    const fake = await FakeProcessor.start({
      authorityPem,
      signers: { '1.0': { ...right['1.0'], ...signers['1.0'] }, '2.0': { ...right['2.0'], ...signers['2.0'] } },
      ...wish,
    });
    const target = {
      baseUrls: Object.fromEntries(versions.map((version) => [version, fake.url])),
      account: ACCOUNTS.first,
      other: ACCOUNTS.second,
      domains: Object.values(DOMAINS),
      authorityPem,
      receiver: this.receiver,
      known: { type: 'email', value: KNOWN_EMAIL },
      oldResultsUrl: isOldLinkUnknown ? undefined : `${fake.url}/v2/results/${OLD_TOKEN}`,
    };
    try {
      return await runConformance(target, { ...quick, ...options });
    } finally {
      await fake.close();
    }
  }
}

const signerOf = async (domain: string, { keyFile, chainFile }: CertificateFiles): Promise<FakeSigner> => ({
  domain,
  keyPem: await read(keyFile),
  chainPem: await read(chainFile),
});

export const failedOf = ({ rows }: Report): string[] =>
  rows.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
