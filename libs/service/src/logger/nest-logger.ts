import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

/** Nest passes the name of the class that speaks last. */
const sourceOf = (rest: readonly unknown[]): string | undefined => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
};

/** Sends what Nest says the way of all other lines. Its chatter at boot is left out, and so is the text of errors, which may hold values. */
export function nestLogger(log: Logger): LoggerService {
  const say =
    (level: 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) => {
      log[level](
        { source: sourceOf(rest), ...(typeof message === 'string' ? { reason: message } : { error: message }) },
        'Nest',
      );
    };
  const quiet = (): void => undefined;
  return { log: quiet, debug: quiet, verbose: quiet, warn: say('warn'), error: say('error'), fatal: say('error') };
}
