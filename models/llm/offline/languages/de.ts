import type { Language } from './language.ts';

export const de: Language = {
  marks:
    'der die das und ich du sie ist sind nicht ein eine mit wie was bitte auf für kann wir mir mich es zu den habe heiße wer wo warum deutsch'.split(
      ' ',
    ),
  hears: {
    hello: /^(hallo|hi|hey|guten (morgen|tag|abend)|servus|moin|grüß gott)( \w+)?$/,
    howAreYou: /(?:^| )wie geht('?s| es)(?= |$)/,
    thanks: /(?:^| )(danke|vielen dank|dankeschön)/,
    goodbye: /(?:^| )(auf wiedersehen|tschüss|tschüs|tschau|bis bald|bis später|auf wiederhören|gespräch beenden)/,
    pause:
      /(?:^| )(einen (moment|augenblick)|eine (minute|sekunde)|warte( mal| kurz)?$|gib mir|moment( mal)?$|ich muss (kurz )?nachdenken)/,
    whoAreYou: /(?:^| )(wer (bist du|sind sie)|wie (heißt du|heißen sie)|was bist du|stell dich vor|dein name)(?= |$)/,
    whatCanYouDo: /(?:^| )(was (kannst du|können sie)|hilf mir|können sie mir helfen|kannst du mir helfen)(?= |$)/,
    myNameIs: /(?:^| )(?:mein name ist|ich heiße|ich heisse|nenn mich)\s+([\p{L}'-]+)/u,
    whatIsMyName: /(?:^| )(wie heiße ich|wie ist mein name|wer bin ich|weißt du meinen namen)/,
    yes: /^(ja|jawohl|genau|gern|gerne|klar|natürlich|richtig|okay|ok)( bitte| gern| gerne)?$/,
    no: /^(nein|nö|nee|lieber nicht|nein danke)$/,
  },
  says: {
    greeting: [
      'Hallo{name}! Schön, dass du da bist. Worüber möchtest du sprechen?',
      'Guten Tag{name}! Was kann ich für dich tun?',
    ],
    hello: ['Hallo{name}! Was beschäftigt dich?', 'Hallo{name}, schön dich zu hören!'],
    fine: ['Mir geht es gut, danke. Und dir?', 'Sehr gut, danke der Nachfrage! Wie ist dein Tag?'],
    welcome: ['Gern geschehen! Kann ich noch etwas tun?'],
    goodbye: ['Auf Wiedersehen{name}! Es war schön, mit dir zu sprechen.'],
    pause: ['Natürlich, lass dir Zeit. Ich bin hier.'],
    stillThere: [
      'Bist du noch da{name}?',
      'Ich bin da, wenn du weitersprechen möchtest.',
      'Lass dir Zeit. Kann ich dir helfen?',
    ],
    iAm: ['Ich bin {topic}.', 'Mein Name ist {topic}.'],
    offlineLlm: [
      'Ehrlich gesagt bin ich der Offline-Geist von Parley: ein paar Regeln, kein großes Sprachmodell. Ich kann ein wenig plaudern, aus Dokumenten antworten und Werkzeuge benutzen.',
    ],
    niceToMeet: ['Schön, dich kennenzulernen{name}! Was führt dich her?'],
    yourNameIs: ['Du hast mir gesagt, dass du {topic} heißt.'],
    nameUnknown: ['Du hast mir deinen Namen noch nicht gesagt. Wie heißt du?'],
    languageChanged: ['Gern, sprechen wir Deutsch. Worüber möchtest du reden?'],
    nothingFound: ['Dazu habe ich in meinen Dokumenten nichts gefunden. Kannst du es anders fragen?'],
    done: ['Das ist erledigt.', 'Erledigt! Noch etwas?'],
    failed: ['Das hat leider nicht geklappt. Sollen wir etwas anderes versuchen?'],
    running: ['Ich habe es gestartet, es läuft noch.'],
    endCall: ['Möchtest du unser Gespräch beenden?'],
    whichValue: ['Was soll ich für {topic} verwenden?'],
    dontKnow: [
      'Das weiß ich leider nicht. Mein Offline-Geist kennt nur, was man ihm sagt.',
      'Das übersteigt meine einfachen Regeln. Was weißt du darüber?',
    ],
    encouragement: [
      'Ich verstehe. Erzähl mir mehr.',
      'Interessant. Und wie ging es weiter?',
      'Und wie fühlst du dich dabei?',
    ],
    tellMeMore: ['Du hast {topic} erwähnt. Was ist dir daran am wichtigsten?', 'Erzähl mir mehr über {topic}.'],
    allRight: ['In Ordnung. Was möchtest du als Nächstes tun?'],
  },
};
