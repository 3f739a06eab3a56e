import { useEffect } from 'react';
import { MAIN } from '../parts/page';

const isControl = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLButtonElement || target instanceof HTMLInputElement;

/**
 * Where a control that had the focus goes away, as what it did is not done twice, the next key goes on from the page. Not for
 * links: those of lists go out of sight.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const note = ({ target }: FocusEvent): void => {
      focused = target;
    };
    const keep = (): void => {
      if (!isControl(focused) || focused.isConnected) return;
      focused = null;
      // A dialog that closes gives the focus back by itself where it can.
      setTimeout(() => {
        if (document.activeElement === document.body) document.getElementById(MAIN)?.focus({ preventScroll: true });
      });
    };
    const observer = new MutationObserver(keep);
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}
