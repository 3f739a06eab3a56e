import { batchLine, profileItems } from './archive-lines';

describe('lines of an archive', () => {
  const items = profileItems({
    mpid: '-9223372036854775808',
    createdAt: new Date(1573681196751),
    identities: [
      { type: 'controller_customer_id', value: '86d17d97' },
      { type: 'ios_vendor_id', value: 'abc' },
    ],
    attributesJson: '{"big":9007199254740993}',
  });

  it('keep every digit of the numbers of a profile', () => {
    expect([...items]).toEqual([
      {
        profile:
          '{"id":-9223372036854775808,"created_timestamp_ms":1573681196751,' +
          '"device_identities":[{"type":"ios_vendor_id","encoding":"none","value":"abc"}],' +
          '"user_identities":[{"type":"customer_id","encoding":"none","value":"86d17d97"}],"user_attributes":{"big":9007199254740993}}',
      },
    ]);
  });

  it('keep a batch unchanged on one line, with its profile', () => {
    const line = batchLine(
      '3764265693111170448',
      Buffer.from(
        '{\r\n  "events": [{"event_type":"custom_event", "data":{"n":9007199254740993, "text":"a\\nb"}}]\n}\n',
      ),
    );
    expect(line).not.toMatch(/[\r\n]/);
    expect(line).toContain('"n":9007199254740993');
    expect(line.endsWith(',"mpid":3764265693111170448}')).toBe(true);
    expect(JSON.parse(line)).toMatchObject({ events: [{ data: { text: 'a\nb' } }] });
  });

  it.each(['5', '"5"', '0', 'null', '-9223372036854775808'])(
    'name the profile once, in place of an mpid that the sender gave: %s',
    (given) => {
      const rest = '"events":[{"data":{"mpid":7}}],"a\\"mpid":1.50';
      const batch = `{"mpid":${given},${rest},\n "\\u006dpid" : ${given}}`;
      expect(batchLine('-7346243611011968789', Buffer.from(batch))).toBe(`{${rest},"mpid":-7346243611011968789}`);
    },
  );
});
