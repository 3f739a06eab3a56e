import { makeSigner, readSigningFiles, type Signer, type SignerSource, type SigningFileContents } from './signer';
import { SigningError } from './signing-error';

type ReloadResult =
  | { readonly kind: 'unchanged' } // as in force, or a fault that a swap may explain or that was reported
  | { readonly kind: 'renewed' }
  | { readonly kind: 'rejected'; readonly fault: SigningError };

const UNCHANGED: ReloadResult = { kind: 'unchanged' };

interface LoadedSigner {
  readonly texts: SigningFileContents;
  readonly signer: Signer;
}

/** A signer that follows its files. Unfit files leave the current certificate in force. */
export class ReloadingSigner implements Signer {
  /** A check may fall between the replacements of key and chain, so one fault alone is not reported. */
  private isDoubtful = false;
  /** Faults reported since the files were last fit. */
  private readonly reportedFaults = new Set<string>();

  private constructor(
    private readonly source: SignerSource,
    private current: LoadedSigner,
  ) {}

  static async open(source: SignerSource, now: Date): Promise<ReloadingSigner> {
    const texts = await readSigningFiles(source);
    return new ReloadingSigner(source, { texts, signer: makeSigner(texts, source, now) });
  }

  get domain(): string {
    return this.source.domain;
  }

  get certificatePem(): string {
    return this.current.signer.certificatePem;
  }

  get fingerprint(): string {
    return this.current.signer.fingerprint;
  }

  get notAfter(): Date {
    return this.current.signer.notAfter;
  }

  get publishedName(): string {
    return this.current.signer.publishedName;
  }

  get isRejecting(): boolean {
    return this.reportedFaults.size > 0;
  }

  sign(body: Buffer): Promise<string> {
    return this.current.signer.sign(body);
  }

  /** Loads changed files that are fit, after `announce`, whose failure rejects. Reports a fault once, after two failed calls. */
  async reload(now: Date, announce: (next: Signer) => Promise<void>): Promise<ReloadResult> {
    const found = await this.readChanged(now);
    if (found instanceof SigningError) return this.confirmFault(found);
    if (found && found.signer.publishedName !== this.publishedName) await announce(found.signer);
    const before = this.publishedName;
    this.current = found ?? this.current;
    this.isDoubtful = false;
    this.reportedFaults.clear();
    return this.publishedName === before ? UNCHANGED : { kind: 'renewed' };
  }

  /** Undefined: unchanged. */
  private async readChanged(now: Date): Promise<LoadedSigner | SigningError | undefined> {
    try {
      const texts = await readSigningFiles(this.source);
      const { keyPem, chainPem } = this.current.texts;
      if (texts.keyPem === keyPem && texts.chainPem === chainPem) return undefined;
      return { texts, signer: makeSigner(texts, this.source, now) };
    } catch (error) {
      if (error instanceof SigningError) return error;
      throw error;
    }
  }

  private confirmFault(fault: SigningError): ReloadResult {
    const isSure = this.isDoubtful;
    this.isDoubtful = true;
    if (!isSure || this.reportedFaults.has(fault.message)) return UNCHANGED;
    this.reportedFaults.add(fault.message);
    return { kind: 'rejected', fault };
  }
}
