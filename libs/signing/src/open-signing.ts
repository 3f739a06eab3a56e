import { ExpiryNotices } from './expiry';
import { ReloadingSigner } from './reloading-signer';
import { withPublishedNames, type Signer, type Signers, type SignerSource, type SignerSources } from './signer';

interface LogFields {
  readonly version: string;
  readonly source: string;
  readonly reason: string;
}

interface SigningLogger {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

interface SigningOptions {
  readonly clock: { now(): Date };
  readonly log: SigningLogger;
}

interface SigningGauge {
  readonly kind: 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly ['version'];
  readonly read: () => readonly { readonly labels: { readonly version: string }; readonly value: number }[];
}

/** Runs before a new certificate is used, for example to publish it. */
export type BeforeRenewal = (next: Signer) => Promise<void>;

export interface Signing {
  /** Delegates to the current certificate: keep the signer, not its values. */
  readonly signers: Signers;
  /** Checks all files once; rejects if a step before a renewal fails. */
  checkFiles(): Promise<void>;
  /** While it fails, the current certificate stays. */
  readonly beforeRenewal: (announce: BeforeRenewal) => void;
  readonly metrics: readonly SigningGauge[];
}

interface WatchedSigner {
  readonly version: string;
  readonly source: SignerSource;
  readonly signer: ReloadingSigner;
}

/** Throws a SigningError for unfit files at the start; later ones change metric and log only. The caller repeats `checkFiles`. */
export async function openSigning(sources: SignerSources, { clock, log }: SigningOptions): Promise<Signing> {
  const { v2, v1 } = withPublishedNames(sources);
  const open = async (version: string, source: SignerSource): Promise<WatchedSigner> => ({
    version,
    source,
    signer: await ReloadingSigner.open(source, clock.now()),
  });
  const first = await open('v2', v2);
  const second = v1 && (await open('v1', v1));
  const watched = second ? [first, second] : [first];
  const announcements: BeforeRenewal[] = [];
  const notices = new ExpiryNotices();
  const check = async (one: WatchedSigner): Promise<void> => {
    try {
      await checkSigner(one, { clock, log }, announcements);
    } finally {
      logExpiry(one, notices.due(one.signer, clock.now()), log);
    }
  };
  for (const one of watched) logExpiry(one, notices.due(one.signer, clock.now()), log);
  return {
    signers: { v2: first.signer, ...(second && { v1: second.signer }) },
    checkFiles: async () => {
      const failed = (await Promise.allSettled(watched.map(check))).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
    beforeRenewal: (announce) => void announcements.push(announce),
    metrics: metricsOf(watched),
  };
}

async function checkSigner(
  { version, source: { chainFile: source }, signer }: WatchedSigner,
  { clock, log }: SigningOptions,
  announcements: readonly BeforeRenewal[],
): Promise<void> {
  const result = await signer.reload(clock.now(), async (next) => {
    for (const announce of announcements) await announce(next);
  });
  if (result.kind === 'renewed')
    log.info({ version, source, reason: validUntil(signer) }, 'A new signing certificate is in force');
  if (result.kind === 'rejected')
    log.error(
      { version, source, reason: result.fault.message },
      'A new signing certificate is unfit, so the old one stays in force',
    );
}

function logExpiry(
  { version, source: { chainFile: source }, signer }: WatchedSigner,
  notice: number | undefined,
  log: SigningLogger,
): void {
  if (notice === undefined) return;
  const fields = { version, source, reason: validUntil(signer) };
  if (notice === 0) log.error(fields, 'The signing certificate has expired: receivers refuse what it signs');
  else log.warn(fields, `The signing certificate expires within ${notice} days`);
}

const validUntil = ({ notAfter }: Signer): string => `valid until ${notAfter.toISOString()}`;

const metricsOf = (watched: readonly WatchedSigner[]): SigningGauge[] => {
  const gauge = (name: string, help: string, value: (signer: ReloadingSigner) => number): SigningGauge => ({
    ...{ kind: 'gauge', name, help, labels: ['version'] },
    read: () => watched.map(({ version, signer }) => ({ labels: { version }, value: value(signer) })),
  });
  return [
    gauge(
      'opendsr_signing_certificate_expiry_timestamp_seconds',
      'When the signing certificate in force expires, in seconds since 1970.',
      ({ notAfter }) => notAfter.getTime() / 1000,
    ),
    gauge(
      'opendsr_signing_certificate_rejected',
      '1 while the signing files are unfit and the previous certificate stays in force.',
      ({ isRejecting }) => Number(isRejecting),
    ),
  ];
};
