/** Calls count as made by hand for so long after the viewer did something. */
const ATTENDED_MS = 30_000;
const DEEDS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Whether somebody sits before the page. Times are milliseconds since the page began, which was a deed too. */
export class Attention {
  private deedAtMs = 0;

  note(nowMs: number): void {
    this.deedAtMs = nowMs;
  }

  isThere(nowMs: number): boolean {
    return nowMs - this.deedAtMs < ATTENDED_MS;
  }
}

/** Listens to what the viewer does. Returns whether somebody is there. */
export function watchAttention(page: EventTarget): () => boolean {
  const attention = new Attention();
  const note = (): void => attention.note(performance.now());
  for (const deed of DEEDS) page.addEventListener(deed, note, { capture: true, passive: true });
  return () => attention.isThere(performance.now());
}
