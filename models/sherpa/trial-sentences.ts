/** What a voice says when its speed is measured: a sentence of some seconds in its language. */
const SENTENCES: Readonly<Record<string, string>> = {
  en: 'The next train to the airport leaves at a quarter past nine from the platform on your left.',
  de: 'Der nächste Zug zum Flughafen fährt um Viertel nach neun vom Bahnsteig zu Ihrer Linken ab.',
  es: 'El próximo tren al aeropuerto sale a las nueve y cuarto del andén que está a su izquierda.',
  fr: 'Le prochain train pour l’aéroport part à neuf heures et quart du quai qui est à votre gauche.',
  hi: 'हवाई अड्डे के लिए अगली ट्रेन सवा नौ बजे आपके बाईं ओर के प्लेटफ़ॉर्म से जाती है।',
  it: 'Il prossimo treno per l’aeroporto parte alle nove e un quarto dal binario alla sua sinistra.',
  pt: 'O próximo comboio para o aeroporto parte às nove e um quarto da plataforma à sua esquerda.',
};

/** @param languages ISO 639-1 codes of a voice. */
export function trialSentence(languages: readonly string[]): string {
  return languages.map((language) => SENTENCES[language]).find((known) => known !== undefined) ?? SENTENCES['en']!;
}
