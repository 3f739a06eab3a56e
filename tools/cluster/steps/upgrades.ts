import { NEXT_IMAGE } from '../image';
import type { Installation } from '../installation';
import type { Proof } from '../proof';
import { underLoad } from './under-load';

/** Upgrades and a rollback under calls: none of them fails. */
export async function proveUpgrades(proof: Proof, installation: Installation): Promise<void> {
  await underLoad(proof, installation, {
    title: '`helm upgrade` that changes a value, under calls',
    happens: () => installation.upgrade('defaults.logLevel=warn'),
  });
  proof.noRestart();
  if (proof.short) return;
  const tag = NEXT_IMAGE.split(':')[1] ?? '';
  await underLoad(proof, installation, {
    title: '`helm upgrade` to another image, likewise',
    happens: () => installation.upgrade(`image.tag=${tag}`),
  });
  proof.noRestart();
  await underLoad(proof, installation, {
    title: '`helm rollback`, likewise',
    happens: () => installation.rollback(),
  });
  proof.noRestart();
}

/** The same while a broker and the primary of MongoDB are restarted: calls may be put off, and none is broken. */
export async function proveUpgradeAmidRestarts(proof: Proof, installation: Installation): Promise<void> {
  const { stores } = installation;
  await underLoad(proof, installation, {
    title: '`helm upgrade` while a broker and the MongoDB primary restart',
    allowed: '503',
    happens: () =>
      Promise.all([
        installation.upgrade('defaults.logLevel=info'),
        stores.restartBroker(0).then(() => stores.restartPrimary()),
      ]),
  });
  proof.noRestart();
}
