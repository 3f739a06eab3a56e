const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};

/** The number of a Kubernetes quantity such as `250m` or `256Mi`; NaN for an invalid one. */
export function quantity(text: string | number | undefined): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(String(text)) ?? [];
  return Number(digits) * (FACTORS[unit] ?? Number.NaN);
}
