import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Go's checksum database computes; `vectors/go` writes the file. */
export interface LogVectors {
  readonly Leaves: number;
  readonly Roots: Readonly<Record<string, string>>;
  readonly Inclusion: readonly { readonly Size: number; readonly Index: number; readonly Proof: readonly string[] }[];
  readonly Consistency: readonly {
    readonly Before: number;
    readonly After: number;
    readonly Proof: readonly string[];
  }[];
  readonly Tiles: Readonly<Record<string, readonly string[]>>;
  readonly VerifierKey: string;
  readonly PrivateKey: string;
  readonly Note: string;
  readonly WitnessKey: string;
  readonly Cosigned: string;
}

export const VECTORS_FOLDER = join(__dirname, '../../vectors');

export const logVectors = (): LogVectors =>
  JSON.parse(readFileSync(join(VECTORS_FOLDER, 'logs.json'), 'utf8')) as LogVectors;

export const vectorEntry = (n: number): Buffer => Buffer.from(`leaf ${n}`);
