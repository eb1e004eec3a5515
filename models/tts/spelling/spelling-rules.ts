/**
 * How letters are said, for the mouth alone: what rounds, closes or opens it. Written `letters:phonemes`; without
 * phonemes the letters are silent. `^` is the start of a word, `$` its end. The longest letters count. `a_e` is a
 * vowel, one consonant and an "e" that ends the word ("name").
 */

/** Latin letters as most languages say them; the rules of a language come before these. */
const LETTERS =
  'a:aa b:b c:k d:d e:eh f:f g:g h:hh i:iy j:jh k:k l:l m:m n:n o:ao p:p q:k r:r s:s t:t u:uw v:v w:w x:k+s y:iy z:z ph:f sh:sh ch:ch';

const LANGUAGES: Readonly<Record<string, string>> = {
  en: `a:ae e:eh i:ih o:aa u:ah y:iy ^y:y e$: es$:z ed$:d ^the$:dh+ax ^a$:ax ^i$:ay ^be$:b+iy ^he$:hh+iy ^me$:m+iy ^we$:w+iy
    ^she$:sh+iy ^to$:t+uw ^do$:d+uw ^who$:hh+uw ^you$:y+uw ^of$:ah+v ^one$:w+ah+n ^are$:aa+r ^was$:w+ah+z ^my$:m+ay ^by$:b+ay
    a_e:ey e_e:iy i_e:ay o_e:ow u_e:uw ee:iy ea:iy ei:ey ie:iy ai:ey ay:ey oi:oy oy:oy oa:ow oe:ow oo:uw ou:aw ow:ow
    au:ao aw:ao ew:uw ue:uw ui:uw ar:aa+r er:er ir:er ur:er or:ao+r all:ao+l igh:ay eigh:ey ough:ao ould:uh+d our:ao+r
    tion:sh+ax+n sion:zh+ax+n ture:ch+er th:th sh:sh ch:ch tch:ch ck:k ng:ng nk:ng+k wh:w ^wr:r ^kn:n ^gn:n mb$:m gh:
    qu:k+w dge:jh ce:s ci:s+ih cy:s+iy ge:jh ^x:z o$:ow`,
  de: `ie:iy ei:ay ai:ay eu:oy äu:oy au:aw ä:eh ö:uh ü:uw ß:s sch:sh ch:hh ^ch:k ck:k chs:k+s ^sp:sh+p ^st:sh+t j:y v:f w:v z:s
    tz:s qu:k+v ng:ng ph:f th:t e$:ax er$:er en$:ax+n ah:aa eh:ey ih:iy oh:ow uh:uw y:uw`,
  es: `ch:ch ll:y ñ:n j:hh h: qu:k gue:g+eh gui:g+iy ge:hh+eh gi:hh+iy ce:s+eh ci:s+iy z:s v:b y:y y$:iy rr:r ü:w ou:ow`,
  fr: `ou:uw oi:w+aa oin:w+ae au:ow eau:ow eu:uh œu:uh œ:uh u:uw é:ey è:eh ê:eh ai:eh ei:eh e:ax e$: es$: ent$:aa an:aa en:aa
    am:aa em:aa on:ao om:ao in:ae ain:ae ein:ae un:ah ch:sh gn:n qu:k gu:g h: j:zh ge:zh+ax gi:zh+iy ç:s ce:s+ax ci:s+iy
    th:t il$:y ill:y s$: t$: d$: x$: p$: z$: er$:ey ez$:ey et$:eh w:v`,
  it: `ch:k ci:ch+iy ce:ch+eh cia:ch+aa cio:ch+ao ciu:ch+uw gh:g gi:jh+iy ge:jh+eh gia:jh+aa gio:jh+ao giu:jh+uw gli:l+iy gn:n
    sci:sh+iy sce:sh+eh h: qu:k+w z:s j:y`,
  pt: `ch:sh lh:l nh:n ç:s ão:aw ã:ah õ:ow ou:ow ei:ey oi:oy ai:ay j:zh ge:zh+eh gi:zh+iy ce:s+eh ci:s+iy h: qu:k x:sh rr:hh
    o$:uw e$:iy gue:g+eh gui:g+iy z:z`,
};

/** Letters to phonemes; an empty list: silent. */
export type SpellingRules = ReadonlyMap<string, readonly string[]>;

const parsed = new Map<string, SpellingRules>();

/** @returns null where the spelling of the language is not known. */
export function spellingRules(language: string): SpellingRules | null {
  const own = LANGUAGES[language];
  if (own === undefined) return null;
  let rules = parsed.get(language);
  if (rules === undefined) {
    rules = new Map(
      `${LETTERS} ${own}`.split(/\s+/u).map((rule) => {
        const [letters = '', phonemes = ''] = rule.split(':');
        return [letters, phonemes === '' ? [] : phonemes.split('+')];
      }),
    );
    parsed.set(language, rules);
  }
  return rules;
}
