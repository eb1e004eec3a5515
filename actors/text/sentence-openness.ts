/**
 * Words after which a sentence continues, per language: articles, conjunctions, fillers. Lower case, with accents ("si"
 * is if, "sí" is yes). Words that may also close a sentence ("on" in "turn it on") are left out: a wrong "continues"
 * costs the user time.
 */
export interface OpenEndings {
  /** Single words. */
  readonly words: string;
  /** Groups of words, separated by '|'. */
  readonly phrases?: string;
  /** Open at the beginning of a sentence; after one they only soften it ("it is good, I think"). */
  readonly opinions?: string;
}

export const OPEN_ENDINGS: Readonly<Record<string, OpenEndings>> = {
  en: {
    words:
      "a an the and or but because cause if unless until although whereas while whether than as that's it's i'm you're we're they're there's he's she's i'll i'd we'll you'll they'll who's what's where's how's let's my your our their whose every um uh er erm hmm hm uhm very quite rather pretty extremely versus per via into onto upon between among towards during including regarding concerning mr mrs dr",
    phrases:
      'i would like|i want|i need|i was wondering|can you|could you|would you|do you|did you|have you|let me|tell me|do you know|to know|want to|need to|have to|going to|gonna|wanna|would like to|like to|able to|used to|supposed to|trying to|try to|due to|such as|for example|for instance|kind of|sort of|a lot of|lots of|one of|some of|all of|most of|because of|instead of|as well as|in order to|how about|and then|and also|and so|so that|even if|only if|as if|in case|the thing is|the problem is|my name is|my number is|my email is|the question is|of the|in the|on the|at the|to the|for the|with the|from the|and i|but i|so i|when i|if i|that i',
    opinions: 'i think|i mean|i guess|you know|i suppose|i believe',
  },
  de: {
    words:
      'der die den dem des ein eine einen einem einer eines und oder aber denn weil dass ob falls obwohl während bevor nachdem damit sondern sowie als mein meine meinen dein deine seine ihre unser unsere äh ähm öhm hm für von im ins zum zur beim vom am zwischen gegen ohne sehr ganz ziemlich keine keinen diese dieser jede jeder jedes',
    phrases:
      'ich möchte|ich will|ich würde|ich würde gerne|ich hätte|ich hätte gerne|ich brauche|zum beispiel|können sie|kannst du|könnten sie|und dann|gibt es|mein name ist|in der|in die|auf die|mit der|mit dem',
    opinions: 'ich glaube|ich denke|ich meine|das heißt',
  },
  fr: {
    words:
      "le la les un une des du de au aux et ou mais donc car parce que lorsque puisque comme mon ma mes ton ta tes son sa ses notre votre leurs ce cet cette ces je euh pour sans dans chez entre vers par sur sous très dont c'est j'ai n'est qu'il qu'elle",
    phrases:
      "je voudrais|je veux|j'aimerais|est ce que|parce que|par exemple|il y a|et puis|afin de|à cause de|il faut|je m'appelle|à la|à l",
    opinions: 'je pense|je crois',
  },
  es: {
    words:
      'el la los las un una unos unas de del al y e o u pero porque pues si cuando aunque mientras que como mi mis tu tus su sus nuestro nuestra este estos estas eh con para por sin en entre hacia hasta desde según muy tan cada algún ningún',
    phrases:
      'me gustaría|quiero|quisiera|necesito|por ejemplo|es que|lo que|tengo que|hay que|para que|ya que|y luego|voy a|me llamo|mi nombre es|a la',
    opinions: 'creo que|pienso que',
  },
  it: {
    words:
      'il lo i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal nel nella con su sul per tra fra e ed o ma quando che cui ehm molto',
    phrases: 'vorrei|voglio|ho bisogno di|per esempio|il fatto è che|e poi|mi piacerebbe|in modo che|mi chiamo',
    opinions: 'credo che|penso che',
  },
  pt: {
    words:
      'o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às por pelo pela para pra com sem entre sobre e ou mas porque pois se quando embora que minha minhas nosso nossa este estas esse essas tão cada hum',
    phrases:
      'eu gostaria|gostaria de|eu quero|quero|preciso de|por exemplo|é que|tenho que|para que|e depois|e aí|vou|meu nome é',
    opinions: 'eu acho que|acho que',
  },
  nl: {
    words:
      'de het een en of maar want omdat dat als wanneer terwijl hoewel zodat dan mijn jouw uw onze hun uh uhm eh voor van tussen zonder sinds heel erg zeer te deze',
    phrases:
      'ik wil|ik wil graag|ik zou graag|bijvoorbeeld|kunt u|kun je|en toen|dat wil zeggen|mijn naam is|in de|op de|met de',
    opinions: 'ik denk',
  },
  sv: {
    words:
      'en ett den och eller men för att när eftersom medan som min mitt mina din ditt vår vårt mycket väldigt från mellan eh öh hm',
    phrases: 'jag vill|jag skulle vilja|till exempel|och sen|jag heter|kan du',
    opinions: 'jag tror',
  },
  da: {
    words: 'en et og eller men at når fordi mens som min mit mine din dit vores meget mellem øh hm',
    phrases: 'jeg vil|jeg vil gerne|for eksempel|og så|jeg hedder|kan du',
    opinions: 'jeg tror',
  },
  no: {
    words: 'en ei et og eller men at når fordi mens som min mitt mine din ditt vår veldig mellom eh øh hm',
    phrases: 'jeg vil|jeg vil gjerne|for eksempel|og så|jeg heter|kan du',
    opinions: 'jeg tror',
  },
  pl: {
    words:
      'i oraz lub albo ale bo że żeby aby jeśli jeżeli gdy kiedy chociaż ponieważ więc który która które we w z ze na do od dla przez przy pod nad przed po u bez między bardzo yyy eee',
    phrases: 'chciałbym|chciałabym|chcę|na przykład|to znaczy|muszę|nazywam się|i wtedy',
    opinions: 'myślę że',
  },
  cs: {
    words:
      'a i nebo ale protože že aby když pokud jestli který která které v ve z ze na do od pro přes při pod nad před po u bez mezi velmi ehm',
    phrases: 'chtěl bych|chtěla bych|chci|například|to znamená|jmenuji se',
    opinions: 'myslím že',
  },
  ru: {
    words:
      'и или но а что чтобы если когда хотя пока который которая которое во в на с со к ко о об от до из у за под над при для без через между по не эм ээ',
    phrases:
      'я хочу|я хотел бы|я хотела бы|мне нужно|потому что|так как|например|то есть|дело в том что|можно ли|и потом|меня зовут',
    opinions: 'я думаю что',
  },
  uk: {
    words:
      'і й та або але а що щоб якщо коли бо хоча поки який яка яке у в на з із до про від за під над при для без через між по не ем',
    phrases: 'я хочу|я хотів би|я хотіла б|мені потрібно|тому що|наприклад|тобто|мене звати',
  },
  tr: {
    words: 've veya ya ama fakat çünkü eğer ki ile bir daha hem yani ııı eee',
    phrases: 'mesela|örneğin|ondan sonra|bunun için|benim adım',
  },
  hu: {
    words: 'a az egy és vagy de mert hogy ha amikor míg aki ami amely nagyon izé öö',
    phrases: 'szeretnék|például|és akkor|úgy hogy|a nevem',
  },
  ro: {
    words: 'un o și sau dar pentru că dacă la de din cu fără pe prin între foarte ăă',
    phrases: 'aș vrea|vreau|de exemplu|pentru că|trebuie să|și apoi|mă numesc',
  },
  fi: {
    words: 'ja tai mutta koska että jos kun vaikka joka hyvin erittäin öö tota niinku',
    phrases: 'haluaisin|minä haluan|esimerkiksi|ja sitten|minun nimeni on',
  },
  el: {
    words: 'ο η το οι τα του της των τον την και ή αλλά ότι αν όταν ενώ που με για από σε στο στη στην στον να θα εε',
    phrases: 'θα ήθελα|θέλω να|για παράδειγμα|δηλαδή|με λένε',
  },
  ar: {
    words: 'و أو لكن لأن أن إن إذا عندما الذي التي في من إلى على عن مع بين كل يعني',
    phrases: 'أريد|أريد أن|على سبيل المثال|لأنني|أود أن|اسمي',
  },
  he: { words: 'ו או אבל כי ש אם כאשר כש של את על עם בין כל אה אממ', phrases: 'אני רוצה|למשל|בגלל ש|קוראים לי' },
  fa: {
    words: 'و یا اما ولی چون که اگر وقتی در از به با برای بین یعنی',
    phrases: 'می‌خواهم|به عنوان مثال|مثلا|برای اینکه|اسم من',
  },
  hi: {
    words: 'और या लेकिन मगर क्योंकि कि अगर जब मेरा मेरी मेरे आपका का की के को लिए एक',
    phrases: 'मैं चाहता|मुझे चाहिए कि|उदाहरण के लिए|मेरा नाम',
  },
  id: {
    words:
      'dan atau tapi tetapi karena bahwa kalau jika ketika meskipun yang di ke dari untuk dengan pada antara sangat adalah sebuah seorang eee',
    phrases: 'saya mau|saya ingin|misalnya|apakah|supaya|dan kemudian|nama saya',
  },
  ms: {
    words:
      'dan atau tetapi kerana bahawa kalau jika apabila yang di ke dari untuk dengan pada antara sangat adalah sebuah',
    phrases: 'saya mahu|saya ingin|contohnya|nama saya',
  },
  vi: {
    words: 'và hoặc nhưng vì nếu khi mà của cho với từ là một các những rất thì để',
    phrases: 'tôi muốn|ví dụ|bởi vì|tên tôi là',
  },
  ca: {
    words:
      'el la els les un una uns unes de del al i o però perquè si quan encara que com amb per sense en entre fins des',
    phrases: 'voldria|vull|per exemple|he de|em dic',
  },
};

/** Endings in scripts without spaces between words, and agglutinated ones: compared with the end of the text. */
export const OPEN_SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  zh: [
    '和',
    '跟',
    '或者',
    '但是',
    '可是',
    '不过',
    '因为',
    '因為',
    '所以',
    '如果',
    '虽然',
    '而且',
    '然后',
    '然後',
    '还有',
    '比如',
    '比如说',
    '我想',
    '我觉得',
    '的话',
    '关于',
    '把',
    '被',
    '从',
    '对于',
    '呃',
    '想要',
    '能不能',
    '我叫',
  ],
  ja: [
    'は',
    'が',
    'を',
    'けれども',
    'ので',
    'とか',
    'えっと',
    'ええと',
    'あの',
    'その',
    'なんか',
    'そして',
    'でも',
    'だから',
    'それで',
    'あと',
  ],
  ko: [
    '고',
    '지만',
    '아서',
    '어서',
    '해서',
    '으면',
    '려고',
    '이랑',
    '그래서',
    '그런데',
    '근데',
    '그러면',
    '왜냐하면',
    '을',
    '를',
    '은',
    '는',
    '에서',
    '저기',
    '만약',
    '제 이름은',
  ],
  th: ['และ', 'หรือ', 'แต่', 'เพราะ', 'ถ้า', 'ที่', 'ว่า', 'กับ', 'ของ', 'ใน', 'เพื่อ', 'คือ', 'แล้วก็', 'อยาก', 'จะ', 'เอ่อ'],
};
/** Whole words that accidentally end like one of the above. */
export const CLOSED_WORDS: readonly string[] = ['こんにちは', 'こんばんは', '처음은'];

/** Spoken digits, for telephone numbers and codes. Plain words. */
export const DIGITS: ReadonlySet<string> = new Set([
  'zero',
  'oh',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'double',
  'null',
  'eins',
  'zwei',
  'zwo',
  'drei',
  'vier',
  'funf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'un',
  'deux',
  'trois',
  'quatre',
  'cinq',
  'sept',
  'huit',
  'neuf',
  'cero',
  'uno',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'due',
  'tre',
  'quattro',
  'cinque',
  'sei',
  'sette',
  'otto',
  'nove',
  'um',
  'dois',
  'quatro',
  'sete',
  'oito',
]);
