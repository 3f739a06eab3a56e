interface CodeProps {
  /** What the text is, for those who do not see it. */
  readonly label: string;
  readonly children: string;
}

/** Text of machines, as it is. It scrolls by keys too. */
export function Code({ label, children }: CodeProps) {
  return (
    <div className="console-code" role="region" aria-label={label} tabIndex={0}>
      <pre>{children}</pre>
    </div>
  );
}
