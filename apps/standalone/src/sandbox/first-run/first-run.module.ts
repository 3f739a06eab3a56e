import { Module } from '@nestjs/common';
import type { Clock, HostedService } from '@opendsr-service/service';
import type { CertificateFiles } from '@opendsr-service/signing';
import { CallbackBox } from './callback-box';
import { openCallbackReceiver } from './callback-receiver.controller';
import { FIRST_RUN, FirstRunController, type FirstRun } from './first-run.controller';

@Module({})
class FirstRunModule {}

interface Parts {
  /** None where there is no sandbox. */
  readonly credentials: Pick<FirstRun, 'key' | 'secret'> | undefined;
  /** Of the receiver, which only the sandbox trusts. */
  readonly certificate: CertificateFiles | undefined;
  readonly clock: Clock;
}

/** Mounts what the first-run page of the console needs: nothing where there is no sandbox. */
export async function mountFirstRun({ credentials, certificate, clock }: Parts): Promise<HostedService[]> {
  if (!credentials || !certificate) return [];
  const box = new CallbackBox();
  const receiver = await openCallbackReceiver(certificate, box, clock);
  const firstRun: FirstRun = { ...credentials, callbackUrl: receiver.url };
  const service: HostedService = {
    module: {
      module: FirstRunModule,
      controllers: [FirstRunController],
      providers: [
        { provide: FIRST_RUN, useValue: firstRun },
        { provide: CallbackBox, useValue: box },
      ],
    },
    service: () => ({ closing: [{ name: 'receiver of callbacks', run: receiver.close }] }),
  };
  return [service];
}
