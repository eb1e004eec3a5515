import { decodeText } from './decode-text.ts';
import type { Section } from './section.ts';

/** Calendars (ICS) and address books (VCF): lines of `NAME;PARAMETER=x:value`, within BEGIN and END (RFC 5545, 6350). */

/** Parts of which one is an entry: an appointment, a task, a person. */
const ENTRIES = /^(VEVENT|VTODO|VJOURNAL|VCARD)$/;
/** What says something, and what it is called where its own name does not tell. */
const FIELDS: Readonly<Record<string, string>> = {
  SUMMARY: '',
  FN: '',
  N: '',
  DTSTART: 'from',
  DTEND: 'until',
  DUE: 'due',
  DURATION: 'duration',
  RRULE: 'repeats',
  LOCATION: 'location',
  DESCRIPTION: 'description',
  ORGANIZER: 'organizer',
  STATUS: 'status',
  CATEGORIES: 'categories',
  ORG: 'organization',
  TITLE: 'title',
  ROLE: 'role',
  TEL: 'telephone',
  EMAIL: 'email',
  ADR: 'address',
  URL: 'website',
  BDAY: 'birthday',
  NICKNAME: 'nickname',
  NOTE: 'note',
};

/** One section for each entry, in the order of the file. */
export function* readCalendar(bytes: Buffer): Generator<Section> {
  let lines: string[] | null = null;
  /** Of a person: the parts of the name, which old address books have in place of all of it. */
  let parts: string | null = null;
  /** Within an entry: alarms. */
  let depth = 0;
  for (const line of unfolded(decodeText(bytes).text)) {
    const { name, parameters, value } = lineOf(line);
    if (name === 'BEGIN') {
      if (lines !== null) depth += 1;
      else if (ENTRIES.test(value.toUpperCase())) [lines, parts] = [[], null];
    } else if (name === 'END' && lines !== null) {
      if (depth === 0) yield { text: [...(parts ? [parts] : []), ...lines].join('\n'), metadata: {}, whole: true };
      if (depth === 0) lines = null;
      else depth -= 1;
    } else if (lines !== null && depth === 0) {
      if (name === 'N') parts ??= fieldText(name, parameters, value);
      else if (name === 'FN') parts = '';
      const text = name === 'N' ? '' : fieldText(name, parameters, value);
      if (text !== '') lines.push(text);
    }
  }
}

/** From the start of a line: a line that says it again and again is not tried from each place. */
const SOFT_BREAKS = /^(?=[^\n]*QUOTED-PRINTABLE)(?:[^\n]*=\n(?=[^\n]))+/gm;

/** Long lines go on behind a blank; those of old address books behind a `=`. */
function unfolded(text: string): string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .replaceAll(SOFT_BREAKS, (lines) => lines.replaceAll('=\n', ''))
    .split('\n');
}

function lineOf(line: string): { name: string; parameters: string; value: string } {
  const parts = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/s.exec(line);
  return { name: parts?.[1]?.toUpperCase() ?? '', parameters: parts?.[2] ?? '', value: parts?.[3]?.trim() ?? '' };
}

const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const UNITS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const NTH: Readonly<Record<string, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  '-1': 'last',
};

/** "every 2 weeks on Monday, Wednesday until 2026-12-31". A rule of other parts stays as it is. */
function repetition(rule: string): string {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]));
  const unit = UNITS[parts.get('FREQ') ?? ''];
  const others = [...parts.keys()].filter((name) => !/^(FREQ|INTERVAL|BYDAY|UNTIL|COUNT|WKST)$/.test(name));
  if (unit === undefined || others.length > 0) return rule;
  const days = (parts.get('BYDAY') ?? '').split(',').map((day) => {
    const [, nth = '', name = ''] = /^([+-]?\d)?(\w\w)$/.exec(day) ?? [];
    return [nth === '' ? '' : `the ${NTH[Number(nth)] ?? nth} `, DAYS[name] ?? ''].join('');
  });
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const until = parts.get('UNTIL');
  const count = parts.get('COUNT');
  return [
    interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`,
    days[0] === '' ? '' : `on ${days.join(', ')}`,
    until === undefined ? '' : `until ${timeText(until)}`,
    count === undefined ? '' : `${count} times`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** An appointment of whole days ends before the day that it names. */
function lastDay(value: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(value) ?? [];
  if (year === undefined) return timeText(value);
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - 1)).toISOString().slice(0, 10);
}

function fieldText(name: string, parameters: string, value: string): string {
  const label = FIELDS[name];
  if (label === undefined) return '';
  const written = /QUOTED-PRINTABLE/i.test(parameters) ? quotedPrintable(value) : value;
  const text = valueText(name, written);
  const zone = /TZID=([^;:]+)/i.exec(parameters)?.[1];
  if (text === '') return '';
  return (label === '' ? text : `${label}: ${text}`) + (zone === undefined ? '' : ` (${zone})`);
}

function valueText(name: string, value: string): string {
  if (name === 'DTEND') return lastDay(value);
  if (/^(DTSTART|DUE|BDAY)$/.test(name)) return timeText(value);
  if (name === 'RRULE') return repetition(value);
  if (name === 'N') {
    const [family, given, others, before, after] = value.split(/(?<!\\);/);
    const inOrder = [before, given, others, family, after].map((part) => unescaped(part ?? ''));
    return inOrder.filter(Boolean).join(' ');
  }
  if (name === 'ORGANIZER') return value.replace(/^mailto:/i, '');
  // Parts of an address and of an organization have semicolons between them.
  const parts = /^(ADR|ORG)$/.test(name) ? value.split(/(?<!\\);/) : [value];
  return parts.map(unescaped).filter(Boolean).join(', ');
}

const unescaped = (value: string): string =>
  value
    .replaceAll(/\\n/gi, '\n')
    .replaceAll(/\\([\\;,])/g, '$1')
    .trim();

/** 20260305T090000Z */
function timeText(value: string): string {
  const time = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d)?(Z?))?/.exec(value);
  if (time === null) return value;
  const [, year, month, day, hour, minute, utc] = time;
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${utc === 'Z' ? ' UTC' : ''}`}`;
}

function quotedPrintable(value: string): string {
  const bytes = value.replaceAll(/((?:=[\dA-F]{2})+)/gi, (run) =>
    Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'),
  );
  return bytes;
}
