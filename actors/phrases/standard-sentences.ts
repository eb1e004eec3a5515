/** What the service itself says or asks the LLM to say, per language. */
export interface StandardSentences {
  /** Spoken when `end_call` ends the conversation. */
  readonly goodbye: string;
  /** Spoken when no model answers. */
  readonly apology: string;
  /** To the LLM, when the session begins without a fixed greeting. Hidden from the user. */
  readonly greetInstruction: string;
  /** To the LLM, when the user has been silent. Hidden from the user. */
  readonly promptInstruction: string;
}

export const STANDARD_SENTENCES = {
  en: {
    goodbye: 'Thank you for talking with me. Goodbye!',
    apology: "I'm sorry, I'm having trouble answering right now. Please try again in a moment.",
    greetInstruction:
      'The conversation begins. Greet the user in English in one short, friendly sentence that fits your role.',
    promptInstruction:
      'The user has been silent for a while. Ask in English, in one short, friendly sentence, whether they are still there or how you can help. Do not repeat an earlier question word for word.',
  },
  es: {
    goodbye: 'Gracias por hablar conmigo. ¡Hasta pronto!',
    apology: 'Lo siento, ahora mismo tengo problemas para responder. Inténtalo de nuevo en un momento.',
    greetInstruction:
      'La conversación empieza. Saluda al usuario en español con una frase breve y amable que encaje con tu papel.',
    promptInstruction:
      'El usuario lleva un rato en silencio. Pregúntale en español, con una frase breve y amable, si sigue ahí o en qué puedes ayudarle. No repitas literalmente una pregunta anterior.',
  },
  fr: {
    goodbye: 'Merci pour cette conversation. Au revoir !',
    apology: "Je suis désolé, j'ai du mal à répondre pour le moment. Réessayez dans un instant, s'il vous plaît.",
    greetInstruction:
      "La conversation commence. Salue l'utilisateur en français en une phrase courte et chaleureuse, conforme à ton rôle.",
    promptInstruction:
      "L'utilisateur se tait depuis un moment. Demande-lui en français, en une phrase courte et aimable, s'il est toujours là ou comment tu peux l'aider. Ne répète pas mot pour mot une question déjà posée.",
  },
  de: {
    goodbye: 'Vielen Dank für das Gespräch. Auf Wiedersehen!',
    apology: 'Entschuldigung, ich kann gerade nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
    greetInstruction:
      'Das Gespräch beginnt. Begrüße den Nutzer auf Deutsch mit einem kurzen, freundlichen Satz, der zu deiner Rolle passt.',
    promptInstruction:
      'Der Nutzer schweigt seit einer Weile. Frage auf Deutsch mit einem kurzen, freundlichen Satz, ob er noch da ist oder wie du helfen kannst. Wiederhole keine frühere Frage wörtlich.',
  },
  it: {
    goodbye: 'Grazie per la conversazione. Arrivederci!',
    apology: 'Mi dispiace, in questo momento ho difficoltà a rispondere. Riprova tra poco, per favore.',
    greetInstruction:
      "La conversazione comincia. Saluta l'utente in italiano con una frase breve e cordiale, adatta al tuo ruolo.",
    promptInstruction:
      "L'utente tace da un po'. Chiedigli in italiano, con una frase breve e cordiale, se è ancora lì o come puoi aiutarlo. Non ripetere parola per parola una domanda precedente.",
  },
  pt: {
    goodbye: 'Obrigado pela conversa. Até logo!',
    apology: 'Desculpe, estou com dificuldade para responder agora. Tente novamente daqui a pouco, por favor.',
    greetInstruction:
      'A conversa começa. Cumprimente o usuário em português com uma frase curta e simpática, de acordo com o seu papel.',
    promptInstruction:
      'O usuário está em silêncio há algum tempo. Pergunte em português, com uma frase curta e simpática, se ele ainda está aí ou como você pode ajudar. Não repita uma pergunta anterior palavra por palavra.',
  },
  nl: {
    goodbye: 'Bedankt voor het gesprek. Tot ziens!',
    apology: 'Sorry, het lukt me nu even niet om te antwoorden. Probeer het zo nog eens.',
    greetInstruction:
      'Het gesprek begint. Begroet de gebruiker in het Nederlands met één korte, vriendelijke zin die bij je rol past.',
    promptInstruction:
      'De gebruiker is al even stil. Vraag in het Nederlands met één korte, vriendelijke zin of hij er nog is of hoe je kunt helpen. Herhaal een eerdere vraag niet letterlijk.',
  },
  sv: {
    goodbye: 'Tack för samtalet. Hej då!',
    apology: 'Förlåt, jag har svårt att svara just nu. Försök gärna igen om en liten stund.',
    greetInstruction: 'Samtalet börjar. Hälsa på användaren på svenska med en kort, vänlig mening som passar din roll.',
    promptInstruction:
      'Användaren har varit tyst en stund. Fråga på svenska med en kort, vänlig mening om hen är kvar eller hur du kan hjälpa till. Upprepa inte en tidigare fråga ordagrant.',
  },
  da: {
    goodbye: 'Tak for samtalen. Farvel!',
    apology: 'Undskyld, jeg har svært ved at svare lige nu. Prøv igen om et øjeblik.',
    greetInstruction:
      'Samtalen begynder. Hils på brugeren på dansk med én kort, venlig sætning, der passer til din rolle.',
    promptInstruction:
      'Brugeren har været stille et stykke tid. Spørg på dansk med én kort, venlig sætning, om vedkommende stadig er der, eller hvordan du kan hjælpe. Gentag ikke et tidligere spørgsmål ordret.',
  },
  no: {
    goodbye: 'Takk for samtalen. Ha det bra!',
    apology: 'Beklager, jeg har problemer med å svare akkurat nå. Prøv igjen om et øyeblikk.',
    greetInstruction:
      'Samtalen begynner. Hils på brukeren på norsk med én kort, vennlig setning som passer til rollen din.',
    promptInstruction:
      'Brukeren har vært stille en stund. Spør på norsk med én kort, vennlig setning om vedkommende fortsatt er der, eller hvordan du kan hjelpe. Ikke gjenta et tidligere spørsmål ordrett.',
  },
  fi: {
    goodbye: 'Kiitos keskustelusta. Näkemiin!',
    apology: 'Anteeksi, en pysty juuri nyt vastaamaan. Yritä hetken päästä uudelleen.',
    greetInstruction:
      'Keskustelu alkaa. Tervehdi käyttäjää suomeksi yhdellä lyhyellä, ystävällisellä lauseella, joka sopii rooliisi.',
    promptInstruction:
      'Käyttäjä on ollut hetken hiljaa. Kysy suomeksi yhdellä lyhyellä, ystävällisellä lauseella, onko hän vielä paikalla tai miten voit auttaa. Älä toista aiempaa kysymystä sanasta sanaan.',
  },
  pl: {
    goodbye: 'Dziękuję za rozmowę. Do widzenia!',
    apology: 'Przepraszam, mam teraz problem z udzieleniem odpowiedzi. Proszę spróbować za chwilę.',
    greetInstruction:
      'Rozmowa się zaczyna. Przywitaj użytkownika po polsku jednym krótkim, przyjaznym zdaniem, które pasuje do twojej roli.',
    promptInstruction:
      'Użytkownik milczy od dłuższej chwili. Zapytaj po polsku jednym krótkim, przyjaznym zdaniem, czy nadal tam jest albo jak możesz pomóc. Nie powtarzaj dosłownie wcześniejszego pytania.',
  },
  cs: {
    goodbye: 'Děkuji za rozhovor. Na shledanou!',
    apology: 'Omlouvám se, teď se mi nedaří odpovědět. Zkuste to prosím za chvíli znovu.',
    greetInstruction:
      'Rozhovor začíná. Pozdrav uživatele česky jednou krátkou, přátelskou větou, která odpovídá tvé roli.',
    promptInstruction:
      'Uživatel už chvíli mlčí. Zeptej se česky jednou krátkou, přátelskou větou, zda tam ještě je nebo jak můžeš pomoci. Neopakuj dřívější otázku doslova.',
  },
  hu: {
    goodbye: 'Köszönöm a beszélgetést. Viszontlátásra!',
    apology: 'Elnézést, most nem tudok válaszolni. Kérem, próbálja újra egy pillanat múlva.',
    greetInstruction:
      'A beszélgetés elkezdődik. Köszöntsd a felhasználót magyarul egyetlen rövid, barátságos mondattal, amely illik a szerepedhez.',
    promptInstruction:
      'A felhasználó egy ideje hallgat. Kérdezd meg magyarul egyetlen rövid, barátságos mondattal, hogy ott van-e még, vagy miben segíthetsz. Ne ismételj meg szó szerint egy korábbi kérdést.',
  },
  ro: {
    goodbye: 'Vă mulțumesc pentru conversație. La revedere!',
    apology: 'Îmi pare rău, acum nu reușesc să răspund. Vă rog să încercați din nou peste puțin timp.',
    greetInstruction:
      'Conversația începe. Salută utilizatorul în română cu o propoziție scurtă și prietenoasă, potrivită rolului tău.',
    promptInstruction:
      'Utilizatorul tace de ceva vreme. Întreabă-l în română, cu o propoziție scurtă și prietenoasă, dacă mai este acolo sau cum îl poți ajuta. Nu repeta cuvânt cu cuvânt o întrebare anterioară.',
  },
  el: {
    goodbye: 'Ευχαριστώ για τη συζήτηση. Αντίο!',
    apology: 'Συγγνώμη, αυτή τη στιγμή δυσκολεύομαι να απαντήσω. Δοκιμάστε ξανά σε λίγο.',
    greetInstruction:
      'Η συζήτηση αρχίζει. Χαιρέτησε τον χρήστη στα ελληνικά με μία σύντομη, φιλική πρόταση που ταιριάζει στον ρόλο σου.',
    promptInstruction:
      'Ο χρήστης σιωπά εδώ και λίγη ώρα. Ρώτησέ τον στα ελληνικά, με μία σύντομη, φιλική πρόταση, αν είναι ακόμη εκεί ή πώς μπορείς να βοηθήσεις. Μην επαναλάβεις αυτολεξεί προηγούμενη ερώτηση.',
  },
  ru: {
    goodbye: 'Спасибо за разговор. До свидания!',
    apology: 'Извините, сейчас у меня не получается ответить. Попробуйте ещё раз чуть позже.',
    greetInstruction:
      'Разговор начинается. Поприветствуй пользователя по-русски одной короткой дружелюбной фразой, подходящей к твоей роли.',
    promptInstruction:
      'Пользователь уже некоторое время молчит. Спроси по-русски одной короткой дружелюбной фразой, здесь ли он ещё или чем ты можешь помочь. Не повторяй дословно прежний вопрос.',
  },
  uk: {
    goodbye: 'Дякую за розмову. До побачення!',
    apology: 'Вибачте, зараз мені не вдається відповісти. Спробуйте ще раз трохи згодом.',
    greetInstruction:
      'Розмова починається. Привітай користувача українською одним коротким дружнім реченням, яке пасує до твоєї ролі.',
    promptInstruction:
      'Користувач уже якийсь час мовчить. Запитай українською одним коротким дружнім реченням, чи він ще тут або чим ти можеш допомогти. Не повторюй дослівно попереднє запитання.',
  },
  tr: {
    goodbye: 'Benimle konuştuğunuz için teşekkürler. Hoşça kalın!',
    apology: 'Üzgünüm, şu anda yanıt vermekte zorlanıyorum. Lütfen biraz sonra tekrar deneyin.',
    greetInstruction:
      'Konuşma başlıyor. Kullanıcıyı Türkçe olarak, rolüne uygun kısa ve samimi tek bir cümleyle selamla.',
    promptInstruction:
      'Kullanıcı bir süredir sessiz. Hâlâ orada olup olmadığını ya da nasıl yardımcı olabileceğini Türkçe, kısa ve samimi tek bir cümleyle sor. Önceki bir soruyu kelimesi kelimesine tekrarlama.',
  },
  ar: {
    goodbye: 'شكرًا لحديثك معي. إلى اللقاء!',
    apology: 'عذرًا، أواجه صعوبة في الإجابة الآن. يُرجى المحاولة مرة أخرى بعد قليل.',
    greetInstruction: 'تبدأ المحادثة الآن. رحّب بالمستخدم بالعربية بجملة واحدة قصيرة وودودة تناسب دورك.',
    promptInstruction:
      'المستخدم صامت منذ فترة. اسأله بالعربية بجملة واحدة قصيرة وودودة إن كان ما زال موجودًا أو كيف يمكنك مساعدته. لا تكرر سؤالًا سابقًا حرفيًا.',
  },
  he: {
    goodbye: 'תודה על השיחה. להתראות!',
    apology: 'סליחה, קשה לי לענות כרגע. אפשר לנסות שוב בעוד רגע.',
    greetInstruction: 'השיחה מתחילה. ברך את המשתמש בעברית במשפט אחד קצר וידידותי שמתאים לתפקיד שלך.',
    promptInstruction:
      'המשתמש שותק זמן מה. שאל אותו בעברית, במשפט אחד קצר וידידותי, אם הוא עדיין כאן או איך אפשר לעזור. אל תחזור מילה במילה על שאלה קודמת.',
  },
  fa: {
    goodbye: 'از گفت‌وگو با شما ممنونم. خدانگهدار!',
    apology: 'ببخشید، الان نمی‌توانم پاسخ بدهم. لطفاً کمی بعد دوباره امتحان کنید.',
    greetInstruction:
      'گفت‌وگو آغاز می‌شود. با یک جملهٔ کوتاه و دوستانه به فارسی که با نقش تو هماهنگ باشد به کاربر سلام کن.',
    promptInstruction:
      'کاربر مدتی است ساکت است. با یک جملهٔ کوتاه و دوستانه به فارسی بپرس هنوز هست یا چگونه می‌توانی کمک کنی. پرسش قبلی را عیناً تکرار نکن.',
  },
  hi: {
    goodbye: 'मुझसे बात करने के लिए धन्यवाद। नमस्ते!',
    apology: 'माफ़ कीजिए, अभी मैं जवाब नहीं दे पा रहा हूँ। कृपया थोड़ी देर में फिर कोशिश करें।',
    greetInstruction:
      'बातचीत शुरू हो रही है। उपयोगकर्ता का हिंदी में एक छोटे, स्नेहपूर्ण वाक्य से स्वागत करो जो तुम्हारी भूमिका के अनुकूल हो।',
    promptInstruction:
      'उपयोगकर्ता कुछ समय से चुप है। हिंदी में एक छोटे, स्नेहपूर्ण वाक्य में पूछो कि क्या वे अब भी यहाँ हैं या तुम कैसे मदद कर सकते हो। पहले पूछा गया प्रश्न शब्दशः मत दोहराओ।',
  },
  ur: {
    goodbye: 'مجھ سے بات کرنے کا شکریہ۔ خدا حافظ!',
    apology: 'معذرت، اس وقت مجھے جواب دینے میں دشواری ہو رہی ہے۔ براہِ کرم تھوڑی دیر بعد دوبارہ کوشش کریں۔',
    greetInstruction:
      'گفتگو شروع ہو رہی ہے۔ صارف کو اردو میں ایک مختصر، دوستانہ جملے سے خوش آمدید کہو جو تمہارے کردار سے مطابقت رکھتا ہو۔',
    promptInstruction:
      'صارف کچھ دیر سے خاموش ہے۔ اردو میں ایک مختصر، دوستانہ جملے میں پوچھو کہ کیا وہ ابھی موجود ہے یا تم کیسے مدد کر سکتے ہو۔ پہلے پوچھا گیا سوال لفظ بہ لفظ نہ دہراؤ۔',
  },
  id: {
    goodbye: 'Terima kasih sudah berbicara dengan saya. Sampai jumpa!',
    apology: 'Maaf, saya sedang kesulitan menjawab. Silakan coba lagi sebentar lagi.',
    greetInstruction:
      'Percakapan dimulai. Sapa pengguna dalam bahasa Indonesia dengan satu kalimat pendek dan ramah yang sesuai dengan peranmu.',
    promptInstruction:
      'Pengguna sudah diam beberapa saat. Tanyakan dalam bahasa Indonesia, dengan satu kalimat pendek dan ramah, apakah ia masih di sana atau apa yang bisa kamu bantu. Jangan mengulang pertanyaan sebelumnya kata demi kata.',
  },
  vi: {
    goodbye: 'Cảm ơn bạn đã trò chuyện với tôi. Tạm biệt!',
    apology: 'Xin lỗi, hiện tại tôi chưa trả lời được. Vui lòng thử lại sau giây lát.',
    greetInstruction:
      'Cuộc trò chuyện bắt đầu. Hãy chào người dùng bằng tiếng Việt với một câu ngắn, thân thiện, phù hợp với vai trò của bạn.',
    promptInstruction:
      'Người dùng đã im lặng một lúc. Hãy hỏi bằng tiếng Việt, một câu ngắn và thân thiện, xem họ còn ở đó không hoặc bạn có thể giúp gì. Đừng lặp lại nguyên văn câu hỏi trước.',
  },
  th: {
    goodbye: 'ขอบคุณที่คุยกันนะ แล้วพบกันใหม่',
    apology: 'ขออภัย ตอนนี้ยังตอบไม่ได้ กรุณาลองใหม่อีกครั้งในอีกสักครู่',
    greetInstruction: 'การสนทนาเริ่มขึ้นแล้ว ทักทายผู้ใช้เป็นภาษาไทยด้วยประโยคสั้น ๆ ที่เป็นมิตรหนึ่งประโยคให้เหมาะกับบทบาทของคุณ',
    promptInstruction:
      'ผู้ใช้เงียบไปสักพักแล้ว ถามเป็นภาษาไทยด้วยประโยคสั้น ๆ ที่เป็นมิตรหนึ่งประโยคว่ายังอยู่หรือไม่ หรือให้ช่วยอะไรได้บ้าง อย่าถามซ้ำคำถามเดิมแบบคำต่อคำ',
  },
  zh: {
    goodbye: '谢谢你和我聊天，再见！',
    apology: '抱歉，我现在暂时无法回答，请稍后再试。',
    greetInstruction: '对话开始了。请用中文说一句简短、友好、符合你角色的话来问候用户。',
    promptInstruction:
      '用户已经沉默了一会儿。请用中文说一句简短、友好的话，询问对方是否还在，或你能帮什么忙。不要逐字重复之前的问题。',
  },
  ja: {
    goodbye: 'お話しできてよかったです。ありがとうございました。さようなら。',
    apology: '申し訳ありません、ただいまお答えできません。少し経ってからもう一度お試しください。',
    greetInstruction:
      '会話が始まります。あなたの役割に合った短く親しみやすい一文で、日本語でユーザーに挨拶してください。',
    promptInstruction:
      'ユーザーがしばらく黙っています。まだそこにいるか、何か手伝えることがあるかを、日本語で短く親しみやすい一文で尋ねてください。前の質問を一字一句繰り返さないでください。',
  },
  ko: {
    goodbye: '대화해 주셔서 감사합니다. 안녕히 계세요!',
    apology: '죄송합니다. 지금은 답변하기 어렵습니다. 잠시 후 다시 시도해 주세요.',
    greetInstruction: '대화가 시작됩니다. 당신의 역할에 맞는 짧고 친근한 한 문장으로 사용자에게 한국어로 인사하세요.',
    promptInstruction:
      '사용자가 한동안 말이 없습니다. 아직 계신지 또는 무엇을 도와드릴지 한국어로 짧고 친근한 한 문장으로 물어보세요. 이전 질문을 그대로 반복하지 마세요.',
  },
} as const satisfies Record<string, StandardSentences>;
