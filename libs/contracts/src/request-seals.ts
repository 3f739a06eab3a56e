/** What a seal of a request is bound to. In another context it does not open (decision 4). */
interface RequestSeal {
  readonly ws: string;
  readonly subject: string;
  readonly field: string;
}

interface Addressed {
  readonly ws: string;
  readonly srid: string;
}

/** Of `identities`: the gateway seals them, and those who fulfil the request open them. */
export const identitiesSeal = ({ ws, srid }: Addressed): RequestSeal => ({ ws, subject: srid, field: 'identities' });

/** Of the URL of a destination: the gateway seals it, and the dispatcher opens it. */
export const callbackUrlSeal = ({ ws, srid }: Addressed, destination: string): RequestSeal => ({
  ws,
  subject: srid,
  field: `callback:${destination}`,
});
