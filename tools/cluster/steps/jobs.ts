import type { Installation } from '../installation';
import type { Proof } from '../proof';

const TRUST = '/run/secrets/opendsr/trust/ca.crt';

/** The operator's tool as a Job, by the lines of the page. */
export async function proveJobs(proof: Proof, installation: Installation): Promise<void> {
  const run = async (words: string): Promise<string> => {
    const title = `\`dsr ${words.replaceAll(',', ' ').replace(` --trust ${TRUST}`, ' --trust …')}\` as a Job`;
    const { condition, log } = await proof.step(title, installation, () => installation.job(words));
    proof.checks.check('it completes', condition === 'Complete' ? [] : [condition, log.slice(-2_000)]);
    return log;
  };
  const doctor = await run(`doctor,--trust,${TRUST}`);
  proof.checks.check('doctor finds nothing to fix in the master key', !doctor.includes('warn  master key'));
  for (const words of ['topics,check', 'db,check', 'projections,verify']) await run(words);
}

/** All services are stopped, restored and started again, by the lines of the page. */
export async function proveRestore(proof: Proof, installation: Installation): Promise<void> {
  const title = 'All services stop, `dsr restore` as a Job, and all start again';
  const { condition, log } = await proof.step(title, undefined, () => installation.restore());
  proof.checks.check('it completes', condition === 'Complete' ? [] : [condition, log.slice(-2_000)]);
}
