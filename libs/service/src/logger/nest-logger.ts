import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

const sourceOf = (rest: readonly unknown[]): string | undefined => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
};

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
