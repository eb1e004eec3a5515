/** Invitation texts are a page or two. */
const MAX_TEXT_LENGTH = 20_000;
/** Longer links are no meetings. */
const MAX_LINK_LENGTH = 2_048;
/** Links in links: a mail filter around a calendar's redirection. */
const MAX_WRAPPINGS = 3;
const MAX_LINKS = 30;

/** Schemes of the providers' programs: with an address behind them, or the code of a meeting. */
const PROGRAM =
  'zoommtg|zoomus|zoom(?=://)|ms-?teams|org\\.jitsi\\.meet|jitsi-meet|intent(?=://)|googlemeet|gmeet|com\\.google\\.meet';
const OF_PROGRAM = new RegExp(`^(${PROGRAM}):/{0,2}(.*)$`, 'i');

/**
 * A link with its scheme, or one that begins with a host, within any text. What stands before it may be a bracket or a
 * quotation mark, but no part of another link.
 */
const LINK = new RegExp(
  [
    String.raw`(?<![\w@:/.%-])`,
    String.raw`(?:(?:https?|${PROGRAM}):\/{0,2}|(?=[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?\/))`,
    '[^\\s<>"\'`|\\\\^{}[\\]“”‘’«»（）【】〔〕「」『』《》〈〉，、；：！？]+',
  ].join(''),
  'gi',
);

/** All addresses in what a person pasted: a link, a whole invitation, one that a mail filter has wrapped. In its order. */
export function linksIn(text: string): URL[] {
  const plain = TYPED.reduce(
    (before, [pattern, plainly]) => before.replaceAll(pattern, plainly),
    ofCalendar(text.slice(0, MAX_TEXT_LENGTH)),
  );
  return [...plain.matchAll(LINK)]
    .slice(0, MAX_LINKS)
    .map(([link]) => addressOf(withoutEnd(link)))
    .flatMap((url) => (url === null ? [] : unwrapped(url, MAX_WRAPPINGS)));
}

/** What mail, calendars and people make of a link. */
const TYPED: readonly (readonly [pattern: RegExp, plainly: (found: string) => string])[] = [
  // A mail as it is sent, where more than one sign says so.
  [/^[^]*=3D[^]*=(?:3D|20|\r?\n)[^]*$/gi, (mail) => mail.replaceAll(/=3D/gi, '=').replaceAll(/=20/g, ' ')],
  // Marks of direction among them, which Hebrew and Arabic programs put around a link.
  [/=\r?\n|[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, () => ''],
  // Of HTML, once or twice, or what is left of it.
  [/&(?:amp;)+/g, () => '&'],
  [/(?<=[?&])amp;/g, () => ''],
  [/&#(?:x([\da-f]{2})|(\d{2,3}));/gi, entity],
  // Typed, or made harmless.
  [/(?<!\w)(?:hxxp|ttp)(?=s?:\/\/)/gi, () => 'http'],
  [/(?<!\w)https?(?=\/\/\w)/gi, (scheme) => `${scheme}:`],
  // Directly behind what it is called.
  [/(?<=[^\s/:][:：])(?=https?:\/\/)/gi, () => ' '],
  [/\[\.\]/g, () => '.'],
  [/(?<=\/[jsw]\/|[?&]pwd=)[ \t]+(?=\w)/g, () => ''],
  [/(?<=\.(?:com|us)\/[\w/-]{1,60})&(?=\w+=)/g, () => '?'],
  // Of JSON; wide digits and colons of Chinese and Japanese keyboards; emphasis.
  [/\\\//g, () => '/'],
  [/\\u00(26|3d|3f)/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(2), 16))],
  // Of Markdown, which models write.
  [/\\(?=[?=&_~#.,;:-])/g, () => ''],
  [/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0)],
  [/(?<=https?)：(?=\/\/)/gi, () => ':'],
  [/(?<![\w/])_+(?=https?:\/\/)/gi, () => ' '],
  // The number of a meeting with its blanks.
  [/(?<=\/[jsw]\/)\d{3}[ -]\d{3,4}[ -]\d{3,4}(?!\d)/g, (number) => number.replaceAll(/\D/g, '')],
  // Teams: `?context={"Tid":"…"}`, as a browser shows it.
  [/(?<=[?&]context=)\{[^{}\s]{1,400}\}/g, encodeURIComponent],
  // All of it, as a program has put it into another address.
  [/(?<![^\s<>"'(])https?%3A%2F%2F[^\s<>"']{1,2048}/gi, decoded],
  // The end of a line that was copied with a link.
  [/(?:%0[ad])+(?=\s|$)/gi, () => ''],
];

function entity(found: string): string {
  const code = /x([\da-f]+)/i.exec(found)?.[1];
  return String.fromCharCode(code === undefined ? Number.parseInt(found.slice(2), 10) : Number.parseInt(code, 16));
}

/** A calendar file that was opened as text: long lines are folded, and line ends within texts are `\n`. */
function ofCalendar(text: string): string {
  if (!/^(?:BEGIN:V|(?:LOCATION|DESCRIPTION|URL|CONFERENCE|X-[A-Z-]+)[;:])/im.test(text)) return text;
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .replaceAll(/\\n/gi, '\n')
    .replaceAll(/^([A-Z-]+(?:;[^:\n]*)?):/gm, '$1 ');
}

/** A sentence goes on behind a link, and Markdown closes its bracket. */
function withoutEnd(link: string): string {
  const rest = link.replace(/(?:[.,;:!?*_~…。，、]|&gt;?)+$/u, '');
  const isOpen = rest.split('(').length > rest.split(')').length;
  const end = rest.indexOf(')');
  return isOpen || end === -1 ? rest : rest.includes('(') ? rest : withoutEnd(rest.slice(0, end));
}

function addressOf(link: string): URL | null {
  if (link.length > MAX_LINK_LENGTH * MAX_WRAPPINGS) return null;
  const app = OF_PROGRAM.exec(link);
  if (app !== null) return ofProgram(app[1]!.toLowerCase(), app[2]!);
  const url = URL.parse(/^https?:/i.test(link) ? link : `https://${link}`);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}

/** What a page hands to the provider's program. */
function ofProgram(scheme: string, rest: string): URL | null {
  if (scheme.includes('meet') && !scheme.includes('jitsi'))
    return URL.parse(`https://meet.google.com/${rest.replace(/^meet\.google\.com\//i, '')}`);
  if (scheme.endsWith('teams'))
    return URL.parse(rest.startsWith('teams.') ? `https://${rest}` : `https://teams.microsoft.com/${rest}`);
  return URL.parse(`https://${rest}`);
}

/** The address, and those that stand in its parameters. */
function unwrapped(url: URL, depth: number): URL[] {
  const inner = depth === 0 ? [] : [...values(url)].flatMap((value) => (/^https?:\/\//i.test(value) ? [value] : []));
  return [
    ...(url.href.length <= MAX_LINK_LENGTH ? [url] : []),
    ...inner.map((link) => addressOf(link)).flatMap((found) => (found === null ? [] : unwrapped(found, depth - 1))),
  ];
}

function* values(url: URL): Generator<string> {
  for (const [name, value] of url.searchParams) {
    yield value;
    yield* inBase64(value);
    // Proofpoint: `%` is `-` and `/` is `_`.
    if (name === 'u' && url.hostname.endsWith('proofpoint.com'))
      yield decoded(value.replaceAll('_', '/').replaceAll('-', '%'));
  }
  // Behind what a mail filter needs for itself.
  const within = /(?<=[~=|!?&])https?:\/\/.+$/i.exec(url.href.slice(8))?.[0];
  if (within !== undefined) yield within;
  // Cisco and others: at the end of the path.
  const last = /\/(https?(?::|%3A)(?:\/|%2F){2}.*)$/i.exec(url.pathname)?.[1];
  if (last !== undefined) yield last.includes('%') ? decoded(last) : last + url.search;
  // Menlo, whose path has one slash; filters that hide it.
  const whole = /\/(https?:\/)(?!\/)(.+)$/i.exec(url.pathname);
  if (whole !== null) yield `${whole[1]}/${whole[2]}${url.search}`;
  for (const part of url.pathname.split('/')) yield* inBase64(part);
  const kept = /^\/v3\/__(.+?)__;/.exec(url.pathname + url.search);
  if (kept !== null && /(^|\.)urldefense\.(com|us)$/.test(url.hostname))
    yield decoded(kept[1]!).replace(/^(https?):\/(?!\/)/, '$1://');
}

/** An address that a mail filter has written as base64, alone or within JSON. */
function inBase64(text: string): string[] {
  if (!/^(?:aHR0c|eyJ)[\w+/=-]+$/.test(text)) return [];
  return (
    Buffer.from(text, 'base64')
      .toString()
      .match(/https?:\/\/[^\s"\\]+/g) ?? []
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
