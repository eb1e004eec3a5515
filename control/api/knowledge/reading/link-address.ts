/** Longer ones lead to a tracker of clicks, and nobody can say them. */
const LONGEST = 200;

/**
 * What a link adds to its words: the address, e-mail address or number behind "click here", in brackets. Nothing where
 * the words say it themselves, and of places within the document. @param target as the document has it.
 */
export function addressBehind(words: string, target: string | undefined): string {
  const address = spoken(target ?? '');
  return address === '' || plain(words).includes(plain(address)) ? '' : ` (${address})`;
}

/** Programs put their own address around those of mails and documents, to check them or to count who follows them. */
const AROUND =
  /^https?:\/\/(?:[\w-]+\.)*(?:safelinks\.protection\.outlook\.com\/|google(?:\.\w{2,3}){1,2}\/url\?|l\.facebook\.com\/l\.php\?)/i;
/** Proofpoint's. */
const BETWEEN = /^https:\/\/urldefense\.com\/v3\/__(https?:\/\/.+)__;/i;

function within(address: string): string {
  const defended = BETWEEN.exec(address)?.[1];
  if (defended !== undefined) return defended;
  const query = AROUND.test(address) && URL.canParse(address) ? new URL(address).searchParams : null;
  const inner = query?.get('url') ?? query?.get('q') ?? query?.get('u') ?? '';
  return /^https?:\/\//i.test(inner) ? inner : address;
}

function spoken(target: string): string {
  const trimmed = within(target.trim());
  const contact = /^(?:mailto|tel):([^?]+)/i.exec(trimmed)?.[1];
  const address = contact === undefined ? /^https?:\/\/\S+$/i.exec(trimmed)?.[0] : decoded(contact).trim();
  return address === undefined || address.length > LONGEST ? '' : address;
}

/** A percent sign that begins nothing stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As people write an address that they show: without "https://" and "www.", and with any signs in a number. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\s*https?:\/\/(www\.)?/, '')
    .replaceAll(/[^\p{L}\p{N}@]/gu, '');

/** The address that a spreadsheet's formula links to, where the formula says it: `HYPERLINK("https://…";"click here")`. */
export function addressInFormula(formula: string): string | undefined {
  return /\bHYPERLINK\(\s*"((?:[^"]|"")+)"/i.exec(formula)?.[1]?.replaceAll('""', '"');
}

/** The address of a field of Word or RTF: ` HYPERLINK "https://…" \o "Book a room" `. */
export function addressInField(code: string): string | undefined {
  return /^\s*HYPERLINK\s+(?!\\)(?:"([^"]+)"|(\S+))/i.exec(code)?.slice(1).find(Boolean);
}
