import { list, type Language } from './language.ts';

/** Romanian. */
export const ro = {
  sentences: {
    goodbye: 'Vă mulțumesc pentru conversație. La revedere!',
    apology: 'Îmi pare rău, acum nu reușesc să răspund. Vă rog să încercați din nou peste puțin timp.',
    greetInstruction:
      'Conversația începe. Salută utilizatorul în română cu o propoziție scurtă și prietenoasă, potrivită rolului tău.',
    promptInstruction:
      'Utilizatorul tace de ceva vreme. Întreabă-l în română, cu o propoziție scurtă și prietenoasă, dacă mai este acolo sau cum îl poți ajuta. Nu repeta cuvânt cu cuvânt o întrebare anterioară.',
  },
  openEndings: {
    words: list(`
      un | o | și | sau | dar | pentru | că | dacă | la | de | din | cu | fără | pe | prin | între | foarte | ăă
    `),
    phrases: list('aș vrea | vreau | de exemplu | pentru că | trebuie să | și apoi | mă numesc'),
  },
  backchannels: {
    hums: list('măi | vai'),
    assents: list(`
      da | da da | sigur | bine | exact | corect | așa e | desigur | clar | adevărat | în regulă | de acord
    `),
    reactions: list('înțeleg | am înțeles | serios | chiar | super | interesant | grozav | ce bine'),
  },
} as const satisfies Language;
