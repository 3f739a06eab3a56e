/** Calls count as made by hand for so long after the viewer did something. */
const ATTENDED_MS = 30_000;
const DEEDS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Listens to what the viewer does. Returns whether somebody is there. That the page began was a deed too. */
export function watchAttention(page: EventTarget): () => boolean {
  let deedAtMs = 0;
  const note = (): void => {
    deedAtMs = performance.now();
  };
  for (const deed of DEEDS) page.addEventListener(deed, note, { capture: true, passive: true });
  return () => performance.now() - deedAtMs < ATTENDED_MS;
}
