/** The text of a message without what programs have put around it and into it. */

/** Neither part goes on to another beginning: one that nobody ends would be looked through from each of them. */
const SIGNED = new RegExp(
  [
    /-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[\w-]+:[^\n]*\n)*\r?\n/,
    /((?:(?!-----BEGIN PGP )[^])*)/,
    /-----BEGIN PGP SIGNATURE-----(?:(?!-----(?:BEGIN|END) PGP )[^])*-----END PGP SIGNATURE-----/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);
const ENCRYPTED = /-----BEGIN PGP MESSAGE-----[^]*?(?:-----END PGP MESSAGE-----|$)/g;
/** A file as letters, as programs sent them before MIME. */
const FILE = /^begin [0-7]{3,4} [^\n]*\n(?:[\x20-\x60]{1,61}\r?\n)*(?:`| )?\r?\n?end[ \t]*$/gm;

/** @returns the text, and a sentence for whoever uploaded it where a part of it cannot be read. */
export function plainMailText(given: string): { text: string; note: string | null } {
  const text = given.replaceAll(SIGNED, (_, signed: string) => signed.replaceAll(/^- /gm, '')).replaceAll(FILE, '');
  const opened = text.replaceAll(ENCRYPTED, '');
  const note = 'A part of the message is encrypted (PGP): save it from its mail program as text or PDF.';
  return { text: opened, note: opened === text ? null : note };
}
