import type { Table, Values } from './setting';

/** A setting as operators see it. */
export interface ShownSetting {
  readonly name: string;
  /** Absent where it is a secret, or has no value. */
  readonly value?: string;
  /** Whether it has a value that nobody is shown. */
  readonly isHidden: boolean;
}

/** The settings of a process without its secrets. */
export const shownSettings = <T extends Table>(table: T, values: Values<T>): readonly ShownSetting[] =>
  Object.entries(table).map(([name, { show }]) => {
    const value: unknown = values[name as keyof T];
    const shown = value === undefined ? undefined : show(value);
    return { name, ...(shown !== undefined && { value: shown }), isHidden: value !== undefined && shown === undefined };
  });
