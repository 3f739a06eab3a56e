import type { Language } from './languages';

type Text = string | ((...values: never[]) => string);
type Pair = readonly [en: Text, de: Text];
interface Catalog {
  readonly [name: string]: Pair | Catalog;
}

/** A catalog in one language. */
type Spoken<T> = {
  readonly [K in keyof T]: T[K] extends readonly [string, string]
    ? string
    : T[K] extends readonly [infer English, infer German]
      ? English | German
      : Spoken<T[K]>;
};

/** The texts of a part of the console: each in English, then in German. A text that one language lacks does not compile. */
export const texts = <const T extends Catalog>(catalog: T): Readonly<Record<Language, Spoken<T>>> => ({
  en: spoken(catalog, 0),
  de: spoken(catalog, 1),
});

/** The word of a value that the API does not list in full; one without a word stays as it is. */
export const wordOf = (words: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(words, value) ? String(words[value]) : value;

const isPair = (texts: Pair | Catalog): texts is Pair => Array.isArray(texts);

const spoken = <T extends Catalog>(catalog: T, at: 0 | 1): Spoken<T> =>
  Object.fromEntries(
    Object.entries(catalog).map(([name, one]) => [name, isPair(one) ? one[at] : spoken(one, at)]),
  ) as Spoken<T>;
