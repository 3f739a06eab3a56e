import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { readChoice, writeChoice } from '../look/choices';
import { formatsOf, type Formats } from './formats';
import { isLanguage, languageOf, type Language } from './languages';

interface Spoken {
  readonly language: Language;
  readonly choose: (language: Language) => void;
  readonly formats: Formats;
}

const Context = createContext<Spoken | undefined>(undefined);

/** The language of the browser, unless another one was chosen here before. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() => {
    const chosen = readChoice('language');
    return isLanguage(chosen) ? chosen : languageOf(navigator.languages);
  });
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const spoken = useMemo(
    () => ({
      language,
      choose: (chosen: Language) => {
        writeChoice('language', chosen);
        setLanguage(chosen);
      },
      formats: formatsOf(language),
    }),
    [language],
  );
  return <Context value={spoken}>{children}</Context>;
}

export function useLanguage(): Spoken {
  const spoken = use(Context);
  if (!spoken) throw new Error('no LanguageProvider above');
  return spoken;
}

/** The texts of a catalog in the language of the viewer. */
export const useTexts = <T,>(catalog: Readonly<Record<Language, T>>): T => catalog[useLanguage().language];

/** How times and numbers are written in the language of the viewer. */
export const useFormats = (): Formats => useLanguage().formats;
