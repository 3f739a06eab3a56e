import { ExpiryNotices } from './expiry';
import { LiveSigner } from './live-signer';
import { underOwnNames, type Signer, type Signers, type SignerSource, type SignerSources } from './signer';

interface LogFields {
  readonly version: string;
  /** The chain file that it is about. */
  readonly source: string;
  readonly reason: string;
}

/** As the log of a process is, as far as it is used here. */
export interface SigningLog {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface SigningOptions {
  readonly clock: { now(): Date };
  readonly log: SigningLog;
}

/** A value by version (`v2`, `v1`), as Prometheus reads it. */
export interface SigningGauge {
  readonly kind: 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly ['version'];
  readonly read: () => readonly { readonly labels: { readonly version: string }; readonly value: number }[];
}

/** Does what must be done before a certificate is put in force, such as to keep it where it can be downloaded. */
export type Announce = (next: Signer) => Promise<void>;

/** The signers of a process, which follow their files. */
export interface Signing {
  /** Each is always the one in force: hold these, not what they say. */
  readonly signers: Signers;
  /** Looks at all files once; rejects where what comes before a renewal fails. */
  look(): Promise<void>;
  /** While it fails, the certificate in force stays. */
  readonly beforeRenewal: (announce: Announce) => void;
  readonly metrics: readonly SigningGauge[];
}

interface Watched {
  readonly version: string;
  readonly source: SignerSource;
  readonly signer: LiveSigner;
}

/**
 * Opens the signers of the versions that are served. Throws a SigningError where files are not fit at the start; later such files change
 * nothing but the metric and the log. Whoever runs the process looks again and again.
 */
export async function openSigning(sources: SignerSources, { clock, log }: SigningOptions): Promise<Signing> {
  const { v2, v1 } = underOwnNames(sources);
  const open = async (version: string, source: SignerSource): Promise<Watched> => ({
    version,
    source,
    signer: await LiveSigner.open(source, clock.now()),
  });
  const first = await open('v2', v2);
  const second = v1 && (await open('v1', v1));
  const watched = second ? [first, second] : [first];
  const announcements: Announce[] = [];
  const notices = new ExpiryNotices();
  const look = async (one: Watched): Promise<void> => {
    try {
      await lookAt(one, { clock, log }, announcements);
    } finally {
      tellOfExpiry(one, notices.due(one.signer, clock.now()), log);
    }
  };
  for (const one of watched) tellOfExpiry(one, notices.due(one.signer, clock.now()), log);
  return {
    signers: { v2: first.signer, ...(second && { v1: second.signer }) },
    look: async () => {
      const failed = (await Promise.allSettled(watched.map(look))).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
    beforeRenewal: (announce) => void announcements.push(announce),
    metrics: metricsOf(watched),
  };
}

async function lookAt(
  { version, source: { chainFile: source }, signer }: Watched,
  { clock, log }: SigningOptions,
  announcements: readonly Announce[],
): Promise<void> {
  const look = await signer.look(clock.now(), async (next) => {
    for (const announce of announcements) await announce(next);
  });
  if (look.kind === 'renewed')
    log.info({ version, source, reason: until(signer) }, 'A new signing certificate is in force');
  if (look.kind === 'rejected')
    log.error(
      { version, source, reason: look.fault.message },
      'A new signing certificate is not fit, and the old one stays in force',
    );
}

function tellOfExpiry(
  { version, source: { chainFile: source }, signer }: Watched,
  notice: number | undefined,
  log: SigningLog,
): void {
  if (notice === undefined) return;
  const fields = { version, source, reason: until(signer) };
  if (notice === 0) log.error(fields, 'The signing certificate has expired: receivers refuse what it signs');
  else log.warn(fields, `The signing certificate expires within ${notice} days`);
}

const until = ({ notAfter }: Signer): string => `valid until ${notAfter.toISOString()}`;

const metricsOf = (watched: readonly Watched[]): SigningGauge[] => {
  const gauge = (name: string, help: string, value: (signer: LiveSigner) => number): SigningGauge => ({
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
      '1 while the signing files hold something that is not fit, and the certificate of before stays in force.',
      ({ isRejecting }) => Number(isRejecting),
    ),
  ];
};
