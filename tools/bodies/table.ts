import type { Measured } from './measure';
import type { OfRoute } from './worst-of-all';

const row = (route: string, { body, bytes, status, cpuMs }: Measured): string =>
  `| ${route} | ${body.name} | ${bytes} | ${status} | ${cpuMs.toFixed(1)} |`;

/** A table in Markdown: of each route a body that it takes, and the worst ones. */
export function tableOf(results: readonly OfRoute[], shown: number): string {
  const rows = results.flatMap(({ route, valid, bodies }) => {
    const worst = [...bodies].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, shown);
    return [...(valid ? [row(route.name, valid)] : []), ...worst.map((one) => row(route.name, one))];
  });
  return ['| Endpoint | Body | Bytes | Answer | CPU, ms |', '|---|---|---|---|---|', ...rows].join('\n');
}
