// Docker's health check of a container: exit code 0 when the app says that it can do its work, else 1. What it said goes into
// the log of health checks. Kubernetes asks by itself and does not run this.
import { get } from 'node:http';

/** Less than the time that the Dockerfile gives to the whole check, so that the log says what was wrong. */
const timeoutMs = 4_000;

/** Where the app listens; an address that means all of them is none to ask. */
const host = ['', '0.0.0.0', '::'].includes(process.env.HOST ?? '') ? '127.0.0.1' : process.env.HOST;

function unhealthy(why) {
  process.stdout.write(why);
  process.exitCode = 1;
}

get(
  { host, port: process.env.ADMIN_PORT || 9090, path: '/readyz', agent: false, signal: AbortSignal.timeout(timeoutMs) },
  (answer) => {
    if (answer.statusCode !== 200) process.exitCode = 1;
    answer.on('error', ({ message }) => unhealthy(message)).pipe(process.stdout);
  },
).on('error', ({ message }) => unhealthy(message));
