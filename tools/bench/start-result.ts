import { alignColumns } from './columns';

/** Milliseconds from the begin of the standalone process to its first 201. */
export interface StartMeasured {
  /** In an empty folder: it makes keys, certificates and stores, and compiles itself. */
  readonly firstMs: number;
  /** In the folder of the run before, compiled already. */
  readonly againMs: number;
}

/** The figures as plain text. */
export const startTable = ({ firstMs, againMs }: StartMeasured): string =>
  alignColumns([
    ['form', 'first 201 after', 'ms'],
    ['embedded', 'the first start', firstMs.toFixed(0)],
    ['embedded', 'another start', againMs.toFixed(0)],
  ]);
