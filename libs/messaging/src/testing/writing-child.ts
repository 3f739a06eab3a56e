import { openLog } from '../open-log';

export interface WritingChildTask {
  readonly file: string;
  readonly topic: string;
  readonly value: string;
}

const { file, topic, value } = JSON.parse(process.argv[2] ?? '{}') as WritingChildTask;

void openLog({ embedded: { file } }).then(async (log) => {
  await log.publisher.publish(topic, [{ key: 'k', value, headers: {} }]);
  await log.close();
});
