/** The address of a request below `/console`. */
export const requestPath = (ws: string, srid: string): string =>
  `/requests/${encodeURIComponent(ws)}/${encodeURIComponent(srid)}`;
