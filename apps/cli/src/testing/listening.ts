import { listenCommand } from '../callbacks/listen.command';
import { say } from './say';

/** A `dsr listen` that runs. */
export interface Listening {
  /** The address that it said to give to the service. */
  readonly url: string;
  /** The lines since the last call, words apart by one space. */
  readonly heard: () => string[];
  /** Ends it as Ctrl-C does. */
  readonly stop: () => Promise<{ readonly code: number; readonly err: readonly string[] }>;
}

/** Starts `dsr listen` with these options on a free port, and waits until it listens. Throws what it complains of where it ends. */
export async function startListening(options: string, env: Readonly<Record<string, string>>): Promise<Listening> {
  const started = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<undefined>();
  let lines: string[] = [];
  const heard = (line: string): void => {
    lines.push(line.trim().replace(/ +/g, ' '));
    const [, url] = /status_callback_urls: (\S+)/.exec(line) ?? [];
    if (url !== undefined) started.resolve(url);
  };
  const ended = say(`listen --port 0 ${options}`.trim(), {
    commands: [listenCommand],
    env,
    heard,
    untilStopped: () => stopped.promise,
  });
  void ended.then(({ code, err }) => started.reject(new Error(`ended with ${code}: ${err.join('\n')}`)));
  const url = await started.promise;
  return {
    url,
    heard: () => {
      const since = lines;
      lines = [];
      return since;
    },
    stop: () => {
      stopped.resolve(undefined);
      return ended;
    },
  };
}
