/**
 * What listeners say to show that they listen. `hums` contain no answer; `assents` answer a yes-or-no question if there
 * is one, otherwise they only mean "continue"; `reactions` comment. What is a hum in one language is the ordinary yes of
 * another (うん, 嗯, 어, haan, อืม, ага): there it is an assent. Phrases are compared without case, accents and
 * punctuation, and may follow each other: "yeah, right, okay".
 */
export interface BackchannelWords {
  readonly hums: readonly string[];
  readonly assents: readonly string[];
  readonly reactions: readonly string[];
  /** Words of the language that look like a hum: Portuguese "um" (one), German "er" (he). They can be an answer. */
  readonly lookalikes?: readonly string[];
}

/** Sounds that recognizers of any language write down for a hum or a laugh. */
export const COMMON: BackchannelWords = {
  hums: ['hm', 'hmm', 'hmmm', 'mm', 'mmm', 'mmmm', 'm', 'mh', 'ah', 'ahh', 'oh', 'ooh', 'ohh', 'eh', 'uh', 'um', 'er', 'aha', 'haha', 'ha ha', 'hahaha', 'ha', 'heh', 'hehe', 'phew', 'wow', 'aw', 'aww', 'ugh'],
  assents: ['mm hm', 'mm hmm', 'mhm', 'mhmm', 'mmhm', 'mmhmm', 'hm hm', 'm hm', 'uh huh', 'uhhuh', 'uhuh', 'ah ha', 'ok', 'okay', 'okey'],
  reactions: [],
};

export const BACKCHANNELS: Readonly<Record<string, BackchannelWords>> = {
  en: {
    hums: ['huh', 'gosh', 'whoa', 'oh my', 'oh my god', 'my goodness', 'oh dear'],
    assents: ['yeah', 'yep', 'yup', 'yes', 'ya', 'yeah yeah', 'right', 'sure', 'alright', 'all right', 'of course', 'exactly', 'absolutely', 'definitely', 'totally', 'indeed', 'true', 'correct', 'agreed', 'fair enough', "that's right", "that's true", 'for sure', 'good', 'fine', 'sounds good', 'i know', 'i agree', 'no problem'],
    reactions: ['i see', 'got it', 'gotcha', 'makes sense', 'that makes sense', 'really', 'great', 'nice', 'cool', 'perfect', 'awesome', 'amazing', 'wonderful', 'excellent', 'interesting', "that's interesting", "that's great", "that's nice", 'oh really', 'oh wow', 'no way', 'oh no', 'understood', 'i understand', 'go on', 'very good', 'good point', 'oh i see', 'ah i see', 'oh okay', 'very nice', 'thats right', 'thats true', 'thats great', 'thats interesting', 'thats nice', 'wow really', 'is that so', 'i hear you', 'you bet'],
  },
  de: {
    lookalikes: ['er', 'um'],
    hums: ['ach', 'ach so', 'achso', 'naja', 'tja', 'oje', 'ui'],
    assents: ['ja', 'jaja', 'ja ja', 'jep', 'jo', 'genau', 'klar', 'stimmt', 'richtig', 'gut', 'na gut', 'in ordnung', 'alles klar', 'sicher', 'natürlich', 'okay gut', 'eben', 'gerne', 'einverstanden', 'doch'],
    reactions: ['verstehe', 'ich verstehe', 'verstanden', 'echt', 'wirklich', 'super', 'toll', 'prima', 'schön', 'interessant', 'krass', 'ach wirklich', 'sehr gut', 'ach ja', 'aha okay', 'na klar', 'macht sinn', 'ja genau', 'spannend'],
  },
  fr: {
    hums: ['bah', 'ben', 'euh', 'oh là là', 'tiens'],
    assents: ['oui', 'ouais', 'ouai', 'oui oui', "d'accord", 'bien sûr', 'exactement', 'tout à fait', 'voilà', "c'est ça", "c'est vrai", 'bien', 'très bien', 'absolument', 'bon', 'entendu', 'en effet', 'vrai', 'ça marche', 'pas de problème'],
    reactions: ['je vois', 'je comprends', 'compris', 'ah bon', 'vraiment', 'super', 'génial', 'parfait', 'intéressant', "c'est bien", 'ah oui', 'ah d\'accord', 'ah ok'],
  },
  es: {
    hums: ['ay', 'vaya', 'uy', 'pues'],
    assents: ['ajá', 'sí', 'sí sí', 'claro', 'claro que sí', 'vale', 'vale vale', 'exacto', 'exactamente', 'correcto', 'bueno', 'bien', 'muy bien', 'de acuerdo', 'cierto', 'es verdad', 'así es', 'eso es', 'perfecto', 'por supuesto', 'ya', 'ya ya', 'dale', 'eso', 'desde luego'],
    reactions: ['entiendo', 'ya veo', 'entendido', 'comprendo', 'de verdad', 'en serio', 'genial', 'qué bien', 'interesante', 'ah ya', 'ah sí', 'ah bueno', 'qué bueno', 'ya entiendo'],
  },
  it: {
    hums: ['beh', 'mah', 'boh', 'ah ecco', 'caspita'],
    assents: ['sì', 'sì sì', 'certo', 'va bene', 'esatto', 'esattamente', 'giusto', 'bene', 'molto bene', "d'accord", "d'accordo", 'vero', 'è vero', 'certamente', 'già', 'perfetto', 'appunto', 'infatti', 'ovvio', 'ecco'],
    reactions: ['capisco', 'ho capito', 'capito', 'davvero', 'ottimo', 'bello', 'interessante', 'ah sì', 'che bello', 'ma dai', 'fantastico', 'ah capisco'],
  },
  pt: {
    lookalikes: ['um'],
    hums: ['ué', 'nossa', 'puxa', 'opa'],
    assents: ['sim', 'sim sim', 'claro', 'certo', 'tá', 'tá bom', 'está bem', 'tudo bem', 'isso', 'isso mesmo', 'exato', 'exatamente', 'com certeza', 'verdade', 'é verdade', 'bom', 'muito bem', 'beleza', 'pois', 'pois é', 'é', 'concordo', 'perfeito'],
    reactions: ['entendi', 'entendo', 'percebo', 'sério', 'a sério', 'legal', 'ótimo', 'que bom', 'interessante', 'ah sim', 'fixe', 'ah tá', 'bacana', 'jura'],
  },
  nl: {
    lookalikes: ['er', 'om'],
    hums: ['tja', 'nou', 'goh', 'jeetje', 'hè'],
    assents: ['ja', 'ja ja', 'jaja', 'jawel', 'precies', 'klopt', 'zeker', 'goed', 'oké', 'juist', 'natuurlijk', 'prima', 'inderdaad', 'dat klopt', 'is goed', 'akkoord', 'heel goed', 'tuurlijk'],
    reactions: ['ik snap het', 'snap ik', 'begrijp ik', 'ik begrijp het', 'echt', 'echt waar', 'leuk', 'mooi', 'interessant', 'o ja', 'oh ja', 'fijn', 'duidelijk', 'top'],
  },
  sv: { lookalikes: ['er', 'om'], hums: ['jaha', 'oj', 'nämen'], assents: ['ja', 'jo', 'japp', 'precis', 'just det', 'visst', 'okej', 'bra', 'absolut', 'javisst', 'stämmer', 'det stämmer', 'exakt', 'självklart'], reactions: ['jag förstår', 'förstår', 'verkligen', 'vad bra', 'intressant', 'jaså', 'toppen', 'kul', 'aha okej'] },
  da: { lookalikes: ['er', 'om'], hums: ['nå', 'nåh', 'hold da op'], assents: ['ja', 'jo', 'jep', 'præcis', 'netop', 'klart', 'okay', 'godt', 'selvfølgelig', 'rigtigt', 'det er rigtigt', 'fint'], reactions: ['jeg forstår', 'forstået', 'virkelig', 'nå okay', 'interessant', 'fedt', 'nå ja'] },
  no: { lookalikes: ['er', 'om'], hums: ['jaha', 'oi', 'nå'], assents: ['ja', 'jo', 'jepp', 'nettopp', 'akkurat', 'klart', 'ok', 'greit', 'selvfølgelig', 'riktig', 'stemmer', 'det stemmer', 'bra'], reactions: ['jeg forstår', 'skjønner', 'virkelig', 'interessant', 'så bra', 'jaså'] },
  fi: { hums: ['ai', 'ai jaa', 'no niin', 'vai niin'], assents: ['joo', 'juu', 'kyllä', 'niin', 'aivan', 'totta', 'selvä', 'okei', 'hyvä', 'just', 'juuri niin', 'joo joo', 'toki'], reactions: ['ymmärrän', 'todellako', 'ihanko totta', 'hienoa', 'kiva', 'mielenkiintoista', 'mahtavaa'] },
  pl: { hums: ['o', 'ojej', 'no proszę', 'aha'], assents: ['tak', 'no tak', 'no', 'jasne', 'dobrze', 'dobra', 'okej', 'zgadza się', 'dokładnie', 'oczywiście', 'właśnie', 'racja', 'pewnie', 'prawda', 'tak tak'], reactions: ['rozumiem', 'naprawdę', 'super', 'świetnie', 'ciekawe', 'serio', 'no tak rozumiem', 'fajnie'] },
  cs: { hums: ['aha', 'jé'], assents: ['no', 'ano', 'jo', 'jasně', 'dobře', 'přesně', 'správně', 'samozřejmě', 'jistě', 'pravda', 'to jo', 'no jo', 'souhlasím'], reactions: ['rozumím', 'chápu', 'opravdu', 'vážně', 'super', 'skvěle', 'zajímavé', 'fakt', 'výborně'] },
  sk: { hums: ['aha', 'jaj'], assents: ['áno', 'hej', 'jasné', 'dobre', 'presne', 'správne', 'samozrejme', 'iste', 'pravda'], reactions: ['rozumiem', 'chápem', 'naozaj', 'vážne', 'super', 'skvelé', 'zaujímavé', 'fakt'] },
  hu: { hums: ['jé', 'hű', 'nahát'], assents: ['aha', 'igen', 'ja', 'jó', 'persze', 'rendben', 'pontosan', 'úgy van', 'oké', 'természetesen', 'igaz', 'jól van', 'így van'], reactions: ['értem', 'tényleg', 'szuper', 'érdekes', 'komolyan', 'nagyszerű', 'világos'] },
  ro: { hums: ['măi', 'vai'], assents: ['da', 'da da', 'sigur', 'bine', 'exact', 'corect', 'așa e', 'desigur', 'clar', 'adevărat', 'în regulă', 'de acord'], reactions: ['înțeleg', 'am înțeles', 'serios', 'chiar', 'super', 'interesant', 'grozav', 'ce bine'] },
  ru: { hums: ['мм', 'ммм', 'хм', 'ой', 'ах', 'ого', 'эх', 'э'], assents: ['угу', 'ага', 'да', 'да да', 'ну да', 'конечно', 'хорошо', 'ладно', 'точно', 'верно', 'правильно', 'ясно', 'окей', 'именно', 'согласен', 'согласна', 'так', 'разумеется'], reactions: ['понятно', 'понимаю', 'понял', 'поняла', 'правда', 'серьёзно', 'здорово', 'отлично', 'интересно', 'надо же', 'вот как', 'круто', 'ничего себе', 'ах вот как'] },
  uk: { hums: ['мм', 'хм', 'ой', 'ого'], assents: ['угу', 'ага', 'так', 'так так', 'звісно', 'звичайно', 'добре', 'гаразд', 'точно', 'вірно', 'правильно', 'ясно', 'згоден', 'згодна', 'авжеж', 'саме так'], reactions: ['зрозуміло', 'розумію', 'зрозумів', 'справді', 'чудово', 'цікаво', 'круто', 'невже'] },
  tr: { hums: ['hı', 'haa', 'vay', 'vay be'], assents: ['hıhı', 'hı hı', 'evet', 'tamam', 'peki', 'doğru', 'tabii', 'tabii ki', 'aynen', 'kesinlikle', 'olur', 'iyi', 'elbette', 'haklısın', 'öyle'], reactions: ['anladım', 'anlıyorum', 'gerçekten mi', 'öyle mi', 'süper', 'harika', 'güzel', 'ilginç', 'çok güzel', 'hadi ya'] },
  el: { hums: ['α', 'ω', 'μμ', 'χμ', 'αχά', 'πω πω'], assents: ['ναι', 'ναι ναι', 'σωστά', 'ακριβώς', 'βέβαια', 'εντάξει', 'καλά', 'φυσικά', 'σίγουρα', 'έτσι', 'συμφωνώ', 'αλήθεια'], reactions: ['κατάλαβα', 'καταλαβαίνω', 'μάλιστα', 'ωραία', 'τέλεια', 'ενδιαφέρον', 'σοβαρά'] },
  ar: { hums: ['همم', 'هم', 'ممم', 'يا سلام', 'يا'], assents: ['اه', 'آه', 'نعم', 'ايوه', 'أيوه', 'أيوا', 'اي', 'أجل', 'طيب', 'تمام', 'صحيح', 'صح', 'بالضبط', 'أكيد', 'طبعا', 'طبعًا', 'حسنا', 'حسنًا', 'ماشي', 'بالطبع', 'اوكي'], reactions: ['فهمت', 'مفهوم', 'فاهم', 'والله', 'حقا', 'ممتاز', 'جيد', 'جميل', 'رائع', 'مثير للاهتمام', 'بجد'] },
  he: { hums: ['אה', 'אהה', 'הממ', 'אמ', 'וואו'], assents: ['כן', 'כן כן', 'נכון', 'בסדר', 'בדיוק', 'בטח', 'ברור', 'אוקיי', 'סבבה', 'טוב', 'אוקי'], reactions: ['הבנתי', 'מבין', 'מבינה', 'באמת', 'יופי', 'מעולה', 'מעניין', 'אחלה'] },
  fa: { hums: ['هوم', 'اِ', 'وای'], assents: ['آها', 'بله', 'آره', 'درسته', 'باشه', 'دقیقا', 'دقیقاً', 'البته', 'خب', 'حتما', 'اوکی', 'صحیح'], reactions: ['فهمیدم', 'متوجه شدم', 'واقعا', 'عالی', 'جالبه', 'چه خوب', 'چه جالب'] },
  hi: { hums: ['हम्म', 'ओह', 'अरे', 'वाह'], assents: ['अच्छा', 'achha', 'accha', 'haan', 'हाँ', 'हां', 'जी', 'जी हाँ', 'जी हां', 'ठीक', 'ठीक है', 'सही', 'सही है', 'बिल्कुल', 'ओके', 'haan ji', 'theek hai', 'thik hai', 'sahi', 'bilkul', 'ji'], reactions: ['समझ गया', 'समझ गई', 'समझा', 'सच में', 'सच', 'बढ़िया', 'बहुत अच्छा', 'अच्छा अच्छा', 'samajh gaya', 'badhiya'] },
  ur: { hums: ['ہمم', 'اوہ', 'واہ', 'ارے'], assents: ['اچھا', 'ہاں', 'جی', 'جی ہاں', 'ٹھیک', 'ٹھیک ہے', 'صحیح', 'بالکل', 'درست'], reactions: ['سمجھ گیا', 'سمجھ گئی', 'واقعی', 'بہت اچھا', 'بہت خوب'] },
  ta: { hums: ['ஓ', 'அப்படியா'], assents: ['ம்ம்', 'ம்', 'ஆமா', 'ஆமாம்', 'சரி', 'ஆம்', 'ஓகே'], reactions: ['புரியுது', 'புரிந்தது', 'நல்லது', 'நிஜமா'] },
  zh: { hums: ['哦', '噢', '喔', '啊', '呃', '哇', '唉', '呵呵', '哈哈', '哎'], assents: ['嗯嗯', '嗯', '对', '對', '是', '是的', '好', '好的', '好吧', '没错', '沒錯', '当然', '當然', '可以', '行', '是啊', '对啊', '對啊', '嗯对', '确实', '確實', '没问题'], reactions: ['明白', '明白了', '我明白', '知道了', '了解', '真的', '真的吗', '真的嗎', '原来如此', '原來如此', '这样啊', '這樣啊', '有意思', '不错', '太好了', '懂了', '是吗', '是嗎', '厉害'] },
  ja: { hums: ['へえ', 'へー', 'ふーん', 'ふうん', 'おお', 'あー', 'えー', 'ほう', 'んー', 'ん'], assents: ['まあ', 'ああ', 'ええ', 'うんうん', 'うん', 'はい', 'はいはい', 'そう', 'そうそう', 'そうです', 'そうですね', 'そうだね', 'そうね', 'いいね', 'いいですね', 'もちろん', '了解', '了解です', 'その通り', 'ですね', 'オッケー', '確かに', 'たしかに'], reactions: ['なるほど', 'なるほどね', 'わかりました', 'わかった', '分かりました', '分かった', '本当', '本当に', '本当ですか', 'ほんと', 'すごい', 'すごいですね', 'そうなんだ', 'そうなんですか', 'そうですか', '面白い', 'マジ', 'さすが'] },
  ko: { hums: ['음', '으음', '흠', '아', '오', '와', '하하', '에'], assents: ['어', '네', '네네', '예', '응', '그래', '그래요', '맞아', '맞아요', '그렇죠', '그렇지', '그럼', '그럼요', '좋아', '좋아요', '알았어', '물론', '물론이죠', '당연하죠', '오케이'], reactions: ['알겠어요', '알겠습니다', '그렇군요', '그렇구나', '아하', '정말', '정말요', '진짜', '진짜요', '대박', '이해했어요', '좋네요', '재미있네요', '아 그래요'] },
  vi: { hums: ['ồ', 'à', 'ôi'], assents: ['ừm', 'ờ', 'vâng', 'dạ', 'ừ', 'đúng', 'đúng rồi', 'được', 'được rồi', 'tốt', 'chắc chắn', 'phải', 'vâng ạ', 'dạ vâng', 'tất nhiên'], reactions: ['hiểu rồi', 'tôi hiểu', 'thật à', 'thật sao', 'hay quá', 'tuyệt', 'thú vị', 'ra vậy'] },
  th: { hums: ['อ๋อ', 'โอ้'], assents: ['เออ', 'อือ', 'อืม', 'ใช่', 'ใช่ครับ', 'ใช่ค่ะ', 'ครับ', 'ค่ะ', 'คะ', 'ได้', 'โอเค', 'ถูกต้อง', 'แน่นอน', 'ดี', 'จ้ะ'], reactions: ['เข้าใจ', 'เข้าใจแล้ว', 'จริงเหรอ', 'จริงหรือ', 'เยี่ยม', 'น่าสนใจ', 'ดีมาก'] },
  id: { hums: ['wah', 'oh gitu', 'nah'], assents: ['ya', 'iya', 'iya iya', 'betul', 'benar', 'baik', 'oke', 'tentu', 'pasti', 'setuju', 'boleh', 'sip', 'tentu saja'], reactions: ['mengerti', 'saya mengerti', 'paham', 'begitu', 'oh begitu', 'masa', 'serius', 'bagus', 'menarik', 'keren', 'mantap'] },
  ms: { hums: ['wah'], assents: ['ya', 'betul', 'benar', 'baik', 'okey', 'tentu', 'setuju', 'boleh'], reactions: ['faham', 'saya faham', 'oh begitu', 'bagus', 'menarik', 'betul ke'] },
  tl: { hums: ['ay', 'naku'], assents: ['oo', 'opo', 'oo nga', 'sige', 'tama', 'talaga', 'syempre', 'ayos'], reactions: ['naintindihan ko', 'ganun ba', 'galing', 'ganda', 'nakuha ko'] },
  sw: { hums: ['loo', 'ala'], assents: ['ehee', 'ndiyo', 'sawa', 'sawa sawa', 'kweli', 'haya', 'bila shaka', 'naam', 'vizuri'], reactions: ['naelewa', 'nimeelewa', 'kumbe', 'safi', 'vizuri sana'] },
  bg: { hums: ['хм', 'леле'], assents: ['мхм', 'аха', 'да', 'да да', 'добре', 'точно', 'разбира се', 'вярно', 'ясно', 'правилно', 'така', 'съгласен', 'съгласна'], reactions: ['разбирам', 'разбрах', 'наистина', 'супер', 'интересно', 'чудесно'] },
  hr: { hums: ['joj'], assents: ['aha', 'da', 'dobro', 'točno', 'tačno', 'naravno', 'u redu', 'jasno', 'tako je', 'slažem se', 'može'], reactions: ['razumijem', 'stvarno', 'super', 'zanimljivo', 'odlično', 'ma daj'] },
  sr: { hums: ['jao'], assents: ['aha', 'аха', 'да', 'da', 'добро', 'dobro', 'тачно', 'tačno', 'наравно', 'naravno', 'важи', 'važi', 'у реду', 'u redu', 'тако је', 'tako je'], reactions: ['разумем', 'razumem', 'стварно', 'stvarno', 'супер', 'super', 'одлично', 'odlično', 'занимљиво', 'zanimljivo'] },
  ca: { hums: ['ai', 'apa'], assents: ['sí', 'sí sí', 'és clar', 'clar', 'exacte', 'correcte', "d'acord", 'bé', 'molt bé', 'és veritat', 'val', 'per descomptat'], reactions: ['ja veig', 'ho entenc', 'entesos', 'de veritat', 'genial', 'que bé', 'interessant'] },
};
