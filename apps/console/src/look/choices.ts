type Choice = 'keys' | 'language' | 'theme' | 'trust';

const keyOf = (choice: Choice): string => `opendsr-console.${choice}`;

/** What the viewer chose in this browser; null without a choice. */
export function readChoice(choice: Choice): string | null {
  try {
    return localStorage.getItem(keyOf(choice));
  } catch {
    // A browser may forbid storage.
    return null;
  }
}

export function writeChoice(choice: Choice, value: string): void {
  try {
    localStorage.setItem(keyOf(choice), value);
  } catch {
    // The choice then lasts until the page is left.
  }
}

export function removeChoice(choice: Choice): void {
  try {
    localStorage.removeItem(keyOf(choice));
  } catch {
    // Then nothing was kept.
  }
}
