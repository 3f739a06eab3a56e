/** The part of an `EventSource` that is followed. */
interface Source extends EventTarget {
  readonly readyState: number;
  close(): void;
}

interface FollowedStreamParts {
  readonly open: () => Source;
  readonly onChanged: (data: string) => void;
  /** It is open again: what changed meanwhile was not said. */
  readonly onReturn: () => void;
  /** It was refused, once more each time that it is opened in vain. */
  readonly onRefused: () => void;
  readonly againMs: number;
}

/** `EventSource.CLOSED`: the browser opens it no more. */
const CLOSED = 2;

/** Follows the stream of changes. The browser opens a lost one again by itself, and not one that was refused. */
export class FollowedStream {
  private source: Source | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLost = false;

  constructor(private readonly parts: FollowedStreamParts) {}

  /** What changes before it is opened, or opened again, was not said. */
  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
    this.isLost = true;
  }

  /** Nothing while it is open. */
  open(): void {
    if (!this.source) this.follow();
  }

  private follow(): void {
    const { open, onChanged, onReturn, onRefused, againMs } = this.parts;
    const source = open();
    this.source = source;
    source.addEventListener('changed', (event) => onChanged((event as MessageEvent<string>).data));
    source.addEventListener('open', () => {
      if (this.isLost) onReturn();
      this.isLost = false;
    });
    source.addEventListener('error', () => {
      this.isLost = true;
      if (source.readyState !== CLOSED) return;
      onRefused();
      this.timer = setTimeout(() => this.follow(), againMs);
    });
  }
}
