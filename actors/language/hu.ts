import { list, type Language } from './language.ts';

/** Hungarian. */
export const hu = {
  sentences: {
    goodbye: 'Köszönöm a beszélgetést. Viszontlátásra!',
    apology: 'Elnézést, most nem tudok válaszolni. Kérem, próbálja újra egy pillanat múlva.',
    greetInstruction:
      'A beszélgetés elkezdődik. Köszöntsd a felhasználót magyarul egyetlen rövid, barátságos mondattal, amely illik a szerepedhez.',
    promptInstruction:
      'A felhasználó egy ideje hallgat. Kérdezd meg magyarul egyetlen rövid, barátságos mondattal, hogy ott van-e még, vagy miben segíthetsz. Ne ismételj meg szó szerint egy korábbi kérdést.',
  },
  openEndings: {
    words: list(`
      a | az | egy | és | vagy | de | mert | hogy | ha | amikor | míg | aki | ami | amely | nagyon | izé | öö
    `),
    phrases: list('szeretnék | például | és akkor | úgy hogy | a nevem'),
  },
  backchannels: {
    hums: list('jé | hű | nahát'),
    assents: list(`
      aha | igen | ja | jó | persze | rendben | pontosan | úgy van | oké | természetesen | igaz | jól van | így van
    `),
    reactions: list('értem | tényleg | szuper | érdekes | komolyan | nagyszerű | világos'),
  },
} as const satisfies Language;
