import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settingsQuery } from '../api/console-settings';
import { readChoice, removeChoice, writeChoice } from '../look/choices';
import { readTrust, type Trust } from './trust';

interface TrustControls {
  /** Undefined while the service was not asked. */
  readonly trust: Trust | undefined;
  /** Whether it is the viewer's own choice. */
  readonly isOwn: boolean;
  readonly choose: (trust: Trust) => void;
  readonly reset: () => void;
}

/** Whom the viewer believes: what was chosen in this browser, else what the service says of itself. */
export function useTrust(): TrustControls {
  const { data } = useQuery(settingsQuery);
  const [own, setOwn] = useState(() => readTrust(readChoice('trust')));
  const published = data && { domains: data.domains, authorities: data.authorities, logKey: data.log_key };
  return {
    trust: own ?? published,
    isOwn: own !== undefined,
    choose: (trust) => {
      writeChoice('trust', JSON.stringify(trust));
      setOwn(trust);
    },
    reset: () => {
      removeChoice('trust');
      setOwn(undefined);
    },
  };
}
