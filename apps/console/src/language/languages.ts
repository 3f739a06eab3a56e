/** The languages of the console. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (text: string | null | undefined): text is Language =>
  languages.some((language) => language === text);

/** The first language that the browser wants and the console speaks; English otherwise. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
