import type { Language } from './languages';

type Text = string | ((...values: never[]) => string);
interface Catalog {
  readonly [name: string]: Text | Catalog;
}

/** What a catalog in another language has to hold. */
type Like<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : Like<T[K]>;
};

export type Texts<T> = Readonly<Record<Language, Like<T>>>;

/** The texts of a part of the console, in every language. A text that one language lacks does not compile. */
export const texts = <const T extends Catalog>(en: T, de: Like<T>): Texts<T> => ({ en: en as unknown as Like<T>, de });
