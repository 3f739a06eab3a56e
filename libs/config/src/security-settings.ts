import { bool, file, text, timerMs } from './parsers';
import { perProfile, type Profile, type Values } from './setting';

const domain = [/^[a-z0-9.-]{1,253}$/, 'a domain name in lower case'] as const;

/** Which versions are served, and the keys of their answers and callbacks. Needs the timing settings. */
export const signingSettings = {
  SERVE_V1: bool({
    default: true,
    meaning: 'Whether version 1 is served too. While it is not, pending callbacks of version 1 are kept.',
  }),
  PROCESSOR_DOMAIN_V2: text(
    { default: 'opendsr.localhost', meaning: 'Domain header, certificate name and extension key of version 2.' },
    ...domain,
  ),
  PROCESSOR_DOMAIN_V1: text({ default: 'opengdpr.localhost', meaning: 'The same of version 1.' }, ...domain),
  SIGNING_KEY_FILE_V2: file({ meaning: 'RSA private key of version 2, PEM. The sandbox makes its own in DATA_DIR.' }),
  SIGNING_CHAIN_FILE_V2: file({ meaning: 'Certificate of version 2, then its intermediates, PEM.' }),
  SIGNING_KEY_FILE_V1: file({
    meaning:
      'RSA private key of version 1, PEM; not needed where SERVE_V1 is false. The sandbox makes its own in DATA_DIR.',
  }),
  SIGNING_CHAIN_FILE_V1: file({ meaning: 'Certificate of version 1, then its intermediates, PEM.' }),
  SIGNING_RELOAD_MS: timerMs({
    default: perProfile(1_000, 10_000),
    meaning:
      'How often the signing files are checked; a time below 5 s doubles up to that while the process has nothing to ' +
      'do. A new key and certificate are used from the next check; an invalid pair changes nothing.',
  }),
} as const;

/** The token of internal routes. */
export const internalTokenSettings = {
  INTERNAL_TOKEN_FILE: file({
    meaning:
      'Holds the token for calls between the services. Of several, one a line, the first is sent and each is ' +
      'accepted. A change counts within a second. Standalone needs none. Without it request and callback-dispatcher do not ' +
      'answer the API of the operator.',
  }),
} as const;

/** The key of the transparency log. */
export const logKeySettings = {
  TRANSPARENCY_KEY_FILE: file({
    meaning:
      'Private key of the transparency log, as C2SP signed-note writes it. `dsr secrets make` makes one; the ' +
      'sandbox makes its own in DATA_DIR.',
  }),
} as const;

export const checkLogKey = (values: Values<typeof logKeySettings> & { readonly TIMING_PROFILE: Profile }): string[] =>
  values.TIMING_PROFILE === 'production' && values.TRANSPARENCY_KEY_FILE === undefined
    ? ['TRANSPARENCY_KEY_FILE: must be set in the production profile']
    : [];

type Signing = Values<typeof signingSettings>;

const served = (values: Signing) => [
  {
    names: 'SIGNING_KEY_FILE_V2 and SIGNING_CHAIN_FILE_V2',
    keyFile: values.SIGNING_KEY_FILE_V2,
    chainFile: values.SIGNING_CHAIN_FILE_V2,
    otherwise: '',
  },
  ...(values.SERVE_V1
    ? [
        {
          names: 'SIGNING_KEY_FILE_V1 and SIGNING_CHAIN_FILE_V1',
          keyFile: values.SIGNING_KEY_FILE_V1,
          chainFile: values.SIGNING_CHAIN_FILE_V1,
          otherwise: ', or SERVE_V1 to false',
        },
      ]
    : []),
];

/** Faults of the signing settings. `makesOwn`: whether the process can make missing files, as a sandbox does. */
export const checkSigning = (values: Signing, makesOwn: boolean): string[] =>
  served(values).flatMap(({ names, keyFile, chainFile, otherwise }) => {
    const given = [keyFile, chainFile].filter((name) => name !== undefined).length;
    if (given === 2 || (given === 0 && makesOwn)) return [];
    return [`${names}: ${makesOwn ? 'set both, or neither' : `must be set${otherwise}`}`];
  });

/** Where a signer's key and certificates lie, and the domain that it signs for. */
interface SignerSource {
  readonly keyFile: string;
  readonly chainFile: string;
  readonly domain: string;
}

type Files = Pick<SignerSource, 'keyFile' | 'chainFile'>;

/** The files of the signer of each served version: configured, or `made` by the sandbox. */
export function signerSources(
  values: Signing,
  made?: { readonly v2: Files; readonly v1: Files },
): { readonly v2: SignerSource; readonly v1?: SignerSource } {
  const v2 = {
    ...filesOf(values.SIGNING_KEY_FILE_V2, values.SIGNING_CHAIN_FILE_V2, made?.v2),
    domain: values.PROCESSOR_DOMAIN_V2,
  };
  if (!values.SERVE_V1) return { v2 };
  return {
    v2,
    v1: {
      ...filesOf(values.SIGNING_KEY_FILE_V1, values.SIGNING_CHAIN_FILE_V1, made?.v1),
      domain: values.PROCESSOR_DOMAIN_V1,
    },
  };
}

function filesOf(keyFile: string | undefined, chainFile: string | undefined, made: Files | undefined): Files {
  if (keyFile !== undefined && chainFile !== undefined) return { keyFile, chainFile };
  if (!made) throw new TypeError('the signing files of each version served are checked before they are used');
  return made;
}
