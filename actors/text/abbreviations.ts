/** Words that end in a point without ending the sentence. */

/** A name or number follows: never the end. Lower case, without the point. */
const BEFORE_A_NAME: ReadonlySet<string> = new Set([
  'mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'rev', 'hon', 'gen', 'col', 'capt', 'lt', 'sgt', 'gov', 'sen', 'rep', 'pres', 'messrs', 'mme', 'mlle', 'mt', 'ft',
  'no', 'nos', 'nr', 'fig', 'vol', 'vs', 'ch', 'pp', 'cf', 'approx', 'ca', 'e.g', 'i.e', 'viz',
  'hr', 'fr', 'frl', 'dipl', 'ing', 'z.b', 'd.h', 'u.a', 'v.a', 'bzw', 'vgl', 'str', 'tel', 'evtl', 'ggf',
  'sr', 'sra', 'srta', 'dra', 'ud', 'uds', 'núm', 'pág', 'p.ej', 'sto', 'sta',
  'dott', 'sig', 'sig.ra', 'ing', 'avv', 'geom', 'p.es', 'pag', 'm', 'p.ex', 'n', 'art',
  'г', 'ул', 'т.е', 'т.к', 'им', 'проф', 'д-р', 'тов', 'гр', 'np', 'tzw', 'ul', 'al', 'inż', 'mgr', 'dhr', 'mevr', 'bv', 'bijv', 'bl.a', 't.ex', 'f.eks',
]);

/** May also close a sentence: it is the end when a capital follows. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'etc', 'inc', 'ltd', 'co', 'corp', 'jr', 'bros', 'dept', 'est', 'min', 'max', 'sec', 'hrs', 'a.m', 'p.m', 'am', 'pm', 'u.s', 'u.k', 'e.u', 'ph.d', 'b.a', 'm.a', 'b.c', 'a.d',
  'jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun',
  'usw', 'u.s.w', 'uvm', 'z', 'd', 'gmbh', 'ecc', 'др', 'т.д', 'т.п', 'itd', 'itp', 'osv', 'm.m', 'enz', 'vb', 'vs',
]);

/** @param word the word before the point. @param continues whether the text goes on in lower case. */
export function isAbbreviation(word: string, continues: boolean): boolean {
  const plain = word.toLowerCase();
  if (BEFORE_A_NAME.has(plain)) return true;
  if (ANYWHERE.has(plain)) return continues || plain.length === 1;
  // "J. K. Rowling"; but "so do I." ends.
  if (/^\p{Lu}$/u.test(word)) return word !== 'I';
  // "N.A.T.O. said": capitals with points.
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return continues;
  return false;
}
