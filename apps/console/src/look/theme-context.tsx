import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { readChoice, writeChoice } from './choices';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

interface Chosen {
  readonly theme: Theme;
  readonly choose: (theme: Theme) => void;
}

const DARK_CLASS = 'pf-v6-theme-dark';
const Context = createContext<Chosen | undefined>(undefined);

const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text);

/** Dark or light as the system is, unless the viewer chose one. */
export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(() => {
    const chosen = readChoice('theme');
    return isTheme(chosen) ? chosen : 'system';
  });
  useEffect(() => follow(theme), [theme]);
  const chosen = useMemo(
    () => ({
      theme,
      choose: (next: Theme) => {
        writeChoice('theme', next);
        setTheme(next);
      },
    }),
    [theme],
  );
  return <Context value={chosen}>{children}</Context>;
}

function follow(theme: Theme): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (): void => {
    const isDark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.classList.toggle(DARK_CLASS, isDark);
  };
  show();
  system.addEventListener('change', show);
  return () => system.removeEventListener('change', show);
}

export function useTheme(): Chosen {
  const chosen = use(Context);
  if (!chosen) throw new Error('no ThemeProvider above');
  return chosen;
}
