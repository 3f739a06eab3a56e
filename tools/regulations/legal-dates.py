# python3 tools/regulations/legal-dates.py > libs/contracts/src/regulations/golden/legal-dates.json
#
# An independent source for the dates of libs/contracts/src/regulations: python's dateutil counts the months and knows the time
# zones. Running the tests needs only the file. The rules (decision 24):
#   gdpr  Art. 12(3) GDPR: one month, extended by two further months, from the day of the event or from the end of the first,
#         whichever ends earlier. Regulation (EEC, Euratom) 1182/71: Art. 3(1) the day of the
#         event does not count; 3(2)(c) the same date of the last month, or its last day; 3(4) a last day that is a Saturday, a
#         Sunday or a public holiday moves to the next working day.
#   ccpa  Cal. Civ. Code § 1798.130(a)(2)(A), 11 CCR § 7021: 45 calendar days, extended to 90.
import json
from datetime import date, datetime, timedelta, timezone
from dateutil import parser, rrule, tz
from dateutil.relativedelta import relativedelta

GERMANY = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-25', '2026-10-03', '2026-12-25', '2026-12-26', '2027-01-01']
IN_A_ROW = ['2026-12-24', '2026-12-25', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01']
CALIFORNIA = ['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-07-03', '2026-09-07', '2026-11-11', '2026-11-26', '2026-11-27', '2026-12-25']
EVENTS = [
    # month ends and leap years
    ('month end to a shorter month', ['2026-01-31T10:00:00Z', '2026-01-30T10:00:00Z', '2026-01-29T10:00:00Z', '2026-01-28T10:00:00Z', '2026-03-31T10:00:00Z', '2026-05-31T10:00:00Z', '2026-08-31T10:00:00Z', '2026-10-31T10:00:00Z', '2026-11-30T10:00:00Z', '2026-12-31T10:00:00Z'], 'UTC', []),
    ('month end to a longer month', ['2026-02-28T10:00:00Z', '2026-04-30T10:00:00Z', '2026-06-30T10:00:00Z', '2026-09-30T10:00:00Z'], 'UTC', []),
    ('leap year', ['2028-01-31T10:00:00Z', '2028-01-30T10:00:00Z', '2028-01-29T10:00:00Z', '2028-02-28T10:00:00Z', '2028-02-29T10:00:00Z', '2027-11-30T10:00:00Z', '2027-11-29T10:00:00Z', '2027-01-29T10:00:00Z', '2000-01-31T10:00:00Z', '2099-12-31T10:00:00Z', '2100-01-31T10:00:00Z', '2000-02-29T10:00:00Z'], 'UTC', []),
    ('weekend', ['2026-06-06T12:00:00Z', '2026-06-07T12:00:00Z', '2026-01-10T12:00:00Z', '2026-01-11T12:00:00Z', '2026-07-15T12:00:00Z', '2026-07-16T12:00:00Z', '2026-07-17T12:00:00Z'], 'UTC', []),
    # the day is that of the zone
    ('midnight of the zone', ['2026-03-15T23:30:00Z', '2026-03-15T22:59:59.999Z', '2026-03-15T23:00:00Z', '2026-06-30T21:59:59.999Z', '2026-06-30T22:00:00Z'], 'Europe/Berlin', GERMANY),
    ('midnight far east', ['2026-01-30T09:59:59.999Z', '2026-01-30T10:00:00Z', '2026-02-27T20:00:00Z'], 'Pacific/Kiritimati', []),
    ('midnight far west', ['2026-02-01T10:59:59.999Z', '2026-02-01T11:00:00Z'], 'Pacific/Niue', []),
    # daylight saving
    ('clocks go forward', ['2026-02-28T12:00:00Z', '2026-03-01T00:30:00Z', '2026-03-28T12:00:00Z', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-02-27T23:30:00Z'], 'Europe/Berlin', []),
    ('clocks go back', ['2026-09-25T12:00:00Z', '2026-09-24T22:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-24T22:30:00Z'], 'Europe/Berlin', []),
    ('clocks of the south', ['2026-09-04T12:00:00Z', '2026-03-05T12:00:00Z', '2026-04-04T15:30:00Z'], 'Australia/Sydney', []),
    ('half an hour of daylight saving', ['2026-03-04T12:00:00Z', '2026-09-03T12:00:00Z'], 'Australia/Lord_Howe', []),
    ('clocks change at midnight', ['2026-08-05T12:00:00Z', '2026-03-04T12:00:00Z', '2026-07-22T12:00:00Z', '2026-02-18T12:00:00Z'], 'America/Santiago', []),
    ('clocks change at midnight', ['2026-03-23T12:00:00Z', '2026-03-24T12:00:00Z', '2026-09-29T12:00:00Z', '2026-02-27T12:00:00Z'], 'Africa/Cairo', []),
    # year's end and holidays
    ("year's end", ['2026-11-25T12:00:00Z', '2026-11-26T12:00:00Z', '2026-12-01T12:00:00Z', '2025-12-01T12:00:00Z', '2026-12-31T22:59:59Z', '2026-12-31T23:00:00Z'], 'Europe/Berlin', GERMANY),
    ('holidays in a row', ['2026-11-24T12:00:00Z', '2026-11-25T12:00:00Z', '2026-11-30T12:00:00Z', '2026-09-24T12:00:00Z'], 'Europe/Berlin', IN_A_ROW),
    ('Easter', ['2026-03-03T12:00:00Z', '2026-03-04T12:00:00Z', '2026-03-05T12:00:00Z', '2026-03-06T12:00:00Z'], 'Europe/Berlin', GERMANY),
    ('California', ['2026-01-01T12:00:00Z', '2026-01-17T12:00:00Z', '2026-02-02T07:59:59Z', '2026-02-02T08:00:00Z', '2026-09-17T12:00:00Z', '2026-11-10T12:00:00Z', '2026-12-16T12:00:00Z', '2028-01-15T20:00:00Z'], 'America/Los_Angeles', CALIFORNIA),
]


def next_working_day(day, holidays):
    days = rrule.rrule(rrule.DAILY, byweekday=(rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR), dtstart=datetime.combine(day, datetime.min.time()))
    return next(one.date() for one in days if one.date().isoformat() not in holidays)


def last_instant(day, zone):
    # The seconds around the end of the day, by the zone's own clock: the last of them that still lies in the day.
    middle = datetime.combine(day, datetime.min.time(), timezone.utc) + timedelta(hours=12)
    before, after = middle - timedelta(hours=30), middle + timedelta(hours=30)
    while after - before > timedelta(milliseconds=1):
        half = before + (after - before) / 2
        half = half.replace(microsecond=half.microsecond // 1000 * 1000)
        if half.astimezone(zone).date() > day:
            after = half
        else:
            before = half
    return iso(before)


def iso(instant):
    return instant.astimezone(timezone.utc).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


def entry(name, since, zone_name, holidays, regulation):
    zone = tz.gettz(zone_name)
    instant = parser.isoparse(since)
    first = instant.astimezone(zone).date()
    base = {'name': name, 'regulation': regulation, 'since': iso(instant), 'timeZone': zone_name, 'holidays': holidays}
    if regulation == 'gdpr':
        month = first + relativedelta(months=1)
        due = next_working_day(month, holidays)
        extended = next_working_day(min(first + relativedelta(months=3), month + relativedelta(months=2)), holidays)
        return {**base, 'dueAt': last_instant(due, zone), 'extendedAt': last_instant(extended, zone), 'noticeAt': last_instant(due, zone)}
    due, extended = (first + relativedelta(days=days) for days in (45, 90))
    return {**base, 'dueAt': last_instant(due, zone), 'extendedAt': last_instant(extended, zone), 'noticeAt': last_instant(due, zone)}


entries = [
    entry(name, since, zone, holidays, regulation)
    for name, times, zone, holidays in EVENTS
    for since in times
    for regulation in ('gdpr', 'ccpa')
]
print('[\n' + ',\n'.join(json.dumps(one) for one in entries) + '\n]')
