import { list, type Language } from './language.ts';

/** Finnish. */
export const fi = {
  sentences: {
    goodbye: 'Kiitos keskustelusta. Näkemiin!',
    apology: 'Anteeksi, en pysty juuri nyt vastaamaan. Yritä hetken päästä uudelleen.',
    greetInstruction:
      'Keskustelu alkaa. Tervehdi käyttäjää suomeksi yhdellä lyhyellä, ystävällisellä lauseella, joka sopii rooliisi.',
    promptInstruction:
      'Käyttäjä on ollut hetken hiljaa. Kysy suomeksi yhdellä lyhyellä, ystävällisellä lauseella, onko hän vielä paikalla tai miten voit auttaa. Älä toista aiempaa kysymystä sanasta sanaan.',
  },
  openEndings: {
    words: list(`
      ja | tai | mutta | koska | että | jos | kun | vaikka | joka | hyvin | erittäin | öö | tota | niinku
    `),
    phrases: list('haluaisin | minä haluan | esimerkiksi | ja sitten | minun nimeni on'),
  },
  backchannels: {
    hums: list('ai | ai jaa | no niin | vai niin'),
    assents: list(`
      joo | juu | kyllä | niin | aivan | totta | selvä | okei | hyvä | just | juuri niin | joo joo | toki
    `),
    reactions: list('ymmärrän | todellako | ihanko totta | hienoa | kiva | mielenkiintoista | mahtavaa'),
  },
} as const satisfies Language;
