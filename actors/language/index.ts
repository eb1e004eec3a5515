import { ar } from './ar.ts';
import { bg } from './bg.ts';
import { ca } from './ca.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { el } from './el.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { hr } from './hr.ts';
import { hu } from './hu.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { ms } from './ms.ts';
import { nl } from './nl.ts';
import { no } from './no.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { sk } from './sk.ts';
import { sr } from './sr.ts';
import { sv } from './sv.ts';
import { sw } from './sw.ts';
import { ta } from './ta.ts';
import { th } from './th.ts';
import { tl } from './tl.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { ur } from './ur.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';
import type { Language } from './language.ts';

/**
 * Every language that Parley knows words of, by ISO 639-1 code. English is first: in doubt a text is English. What is not
 * here is spoken as well; its conversations have English sentences of the service and no words of their own in turn-taking.
 */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  sv,
  da,
  no,
  pl,
  cs,
  ru,
  uk,
  tr,
  hu,
  ro,
  fi,
  el,
  ar,
  he,
  fa,
  hi,
  id,
  ms,
  vi,
  ca,
  zh,
  ja,
  ko,
  th,
  ur,
  sk,
  ta,
  tl,
  sw,
  bg,
  hr,
  sr,
};

export { en };
