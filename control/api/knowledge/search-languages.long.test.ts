import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabasesEachNight } from '../../testing/stores.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';
import { sample } from './testing/read.ts';

/**
 * Index and question were made by two functions: on PostgreSQL no word with an accent was ever found, on SQLite no
 * "чай", and on both nothing in Japanese, Chinese, Korean or Thai.
 */
const LANGUAGES: readonly (readonly [language: string, text: string, ...questions: string[]])[] = [
  [
    'Japanese',
    '営業時間は午前9時から午後6時までです。駐車場は無料です。ガラス張りの部屋。',
    '営業時間',
    '駐車場はありますか',
    'ガラス',
  ],
  ['Chinese', '本店营业时间为上午九点至晚上九点。停车场免费。', '营业时间', '有停车场吗'],
  ['Korean', '영업시간은 오전 9시부터입니다. 주차장은 무료로 이용하실 수 있습니다.', '영업시간', '주차장 있나요?'],
  ['Thai', 'ร้านเปิดเก้าโมงเช้า ปิดหกโมงเย็น ที่จอดรถฟรี', 'ที่จอดรถ', 'เปิดกี่โมง'],
  [
    'German',
    'Die Kündigungsfrist beträgt drei Monate. Parkplätze liegen hinter dem Haus.',
    'Kündigung',
    'Parkplätze',
    'Parkplatz',
  ],
  ['French', 'Le café de l’hôtel ouvre à sept heures.', 'café', 'hôtel', 'Où est l’hôtel ?'],
  ['Spanish', 'José sirve el desayuno en la habitación.', 'José', 'habitaciones'],
  ['Portuguese', 'A reunião começa às nove no salão.', 'reunião', 'reuniões', 'salao'],
  ['Italian', 'La colazione è servita alle sette in città.', 'città', 'colazioni'],
  ['Dutch', 'Het zwembad is open; parkeerplaatsen zijn gratis.', 'zwembaden', 'parkeerplaats'],
  ['Swedish', 'Frukosten serveras från sju. Parkeringsplatser finns.', 'frukost', 'parkeringsplats'],
  ['Polish', 'Śniadanie jest podawane od siódmej.', 'śniadanie', 'Śniadania', 'sniadanie'],
  ['Czech', 'Snídaně se podává od sedmi v příjemné jídelně.', 'snídaně', 'příjemné'],
  ['Turkish', 'Kahvaltı saat yedide başlar.', 'kahvaltı', 'KAHVALTI'],
  ['Russian', 'Чай и завтрак подаются с семи часов. Есть парковки.', 'чай', 'завтраки', 'парковка'],
  ['Ukrainian', 'Сніданок подають із сьомої. Їжа місцева.', 'сніданок', 'їжа'],
  ['Greek', 'Η πισίνα είναι ανοιχτή από τις επτά.', 'πισίνα', 'ΠΙΣΙΝΑ', 'πισινα'],
  ['Hindi', 'नाश्ता सात बजे से मिलता है।', 'नाश्ता'],
  ['Arabic', 'يُقدَّم الفُطور من السابعة. الموقف مجاني.', 'الفُطور', 'الفطور', 'فطور'],
  ['Hebrew', 'ארוחת הבוקר מוגשת משבע. החניה חינם.', 'הבוקר', 'ארוחת בוקר'],
  ['Vietnamese', 'Bữa sáng được phục vụ từ bảy giờ.', 'bữa sáng', 'phục vụ'],
  ['Hungarian', 'A reggelit hét órától szolgáljuk fel az étteremben.', 'reggeli', 'étterem'],
  // None of these was found: another keyboard, another code for a letter, digits and joints of words.
  ['German of another keyboard', 'Das Frühstück ist für Gäste.', 'Fruehstueck', 'Gaeste'],
  ['Danish of another keyboard', 'Rødgrød med blåbær.', 'roedgroed', 'blaabaer'],
  ['Persian', 'کتاب‌ها و پارکینگ از ساعت ۹', 'کتابها', 'پاركينگ', '9'],
  ['Hebrew with a letter before', 'החניה חינם.', 'חניה'],
  ['Hindi in other letters', 'हिंदी में पाँच हज़ार', 'हिन्दी', 'पांच', 'हजार'],
  ['Japanese in its other script', 'カフェは朝七時から。', 'かふぇ'],
  // Not found: the same words in the other form of their characters.
  ['traditional Chinese', '餐廳供應早餐。臺北門市的衞生間在後面。', '餐厅', '台北门市', '卫生间', '餐廳'],
  ['Chinese asked in traditional characters', '图书馆里可以借书，还有计算机。', '圖書館裡', '借書', '計算機'],
  ['Icelandic', 'Þetta er góður matur.', 'thetta', 'godur'],
  ['English with joints', "The Wi-Fi, e-mail, O'Brien, COVID-19, U.S.A.", 'wifi', 'email', 'obrien', 'covid19', 'usa'],
  ['numbers', 'Call +49 30 901820. It costs 1,250.50 €.', '+4930901820', '1250'],
  // Not found: letters and digits with a blank or a sign between, or without; parts of what is one word.
  ['codes', 'Article SKU-4711-B for room 12A. Flight LH 1234, 20 kg.', '4711B', '12 A', 'LH1234', '20kg', 'LH 1234'],
  ['norms', 'We follow ISO 9001:2015. The WLAN of the coworking room is free.', 'ISO9001', 'W-LAN', 'co-working'],
  [
    'English of both sides',
    'The colour was cancelled; we organise the theatre.',
    'color',
    'canceled',
    'organize',
    'theater',
  ],
  [
    'American English',
    'The color was canceled; we organize the theater.',
    'colour',
    'cancelled',
    'organise',
    'theatre',
  ],
  ['irregular English', 'We have mice and feet; she bought a ticket and went.', 'mouse', 'foot', 'buy', 'go'],
  ['English', 'Guests may use the swimming pools. A résumé is not needed.', 'swimming pool', 'résumé', 'resume'],
];

/** Without an embedder: by words alone. */
const HOTEL: readonly (readonly [question: string, answer: string])[] = [
  ['Wann gibt es Frühstück?', 'Frühstücksbuffet'],
  ['Wie lange ist das Schwimmbad geöffnet?', 'Schwimmbad'],
  ['Was kostet ein Stellplatz in der Garage?', 'Tiefgarage'],
  ['Wie lautet das WLAN-Kennwort?', 'Kennwort'],
  ['Wann muss ich abreisen?', 'Abreise muss'],
  ['Kann ich ein Fahrrad leihen?', 'Fahrräder'],
  ['Wie komme ich zum Flughafen?', 'Flughafentransfer'],
  ['Gibt es veganes Essen?', 'vegane'],
  ['Kann ich noch stornieren?', 'Stornierungen'],
  ['Bekomme ich eine Rechnung für meine Firma?', 'Rechnungen'],
  ['Darf mein Hund mit ins Zimmer?', 'Haustiere'],
  ['Wo kann ich mein Auto parken?', 'Tiefgarage'],
];

/** Questions as somebody asks them who does not know the guides' words. */
const GUIDES: readonly (readonly [question: string, answer: RegExp])[] = [
  ['What happens if the Redis server goes down?', /Redis[\s\S]*(away|down|without|fails)/i],
  ['Which ports do I have to open in the firewall?', /3478|UDP/],
  ['How do I run it in a container?', /container|docker|podman/i],
  ['How can I back up the database?', /backup/i],
  ['How do I upgrade without dropping conversations?', /drain|SIGTERM|upgrade/i],
  ['Where are the files stored when I use a bucket?', /bucket/i],
  ['How do I rotate the master key?', /key/i],
  ['Can I run several engines on one machine?', /PARLEY_ENGINES/],
  ['How many conversations can one machine take?', /capacity|conversations/i],
  ['Which metrics does it offer for Prometheus?', /metrics/i],
  ['How do I send traces to OpenTelemetry?', /OTEL|trace/i],
  ['Do I need a TURN server?', /TURN/],
  ['What if only port 443 is open?', /443/],
  ['How do I see which path a session uses?', /path|candidate/i],
  ['Why does a client not connect?', /connect/i],
  ['How does it run as a systemd service?', /systemd/],
  ['What does the health check say?', /health|ready/i],
  ['How do several machines share one database?', /DATABASE_URL|PostgreSQL|machines/i],
  ['How long does a stop wait for sessions?', /stop|drain/i],
  ['How is the shared secret of coturn set?', /coturn|static-auth-secret|secret/i],
];

describeOnBothDatabasesEachNight('searching in many languages', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(() => service.close());
  const { group, upload, search } = knowledgeRequests(() => service);

  it('finds the words of a text in every script', async () => {
    const id = await group();
    await upload(id, 'all.jsonl', LANGUAGES.map(([, text]) => JSON.stringify(text)).join('\n'));
    const wrong: string[] = [];
    for (const [language, text, ...questions] of LANGUAGES)
      for (const question of questions)
        if ((await search(id, question))[0]?.content !== text) wrong.push(`${language}: ${question}`);
    expect(wrong).toEqual([]);
  });

  it('answers ten of twelve questions to a German list with the first passage', async () => {
    const id = await group();
    await upload(id, 'hotel.txt', sample('hotel-de.txt'), 'text/plain', { chunkSize: '100', chunkOverlap: '0' });
    const right: string[] = [];
    for (const [question, answer] of HOTEL)
      if ((await search(id, question))[0]?.content.includes(answer) === true) right.push(question);
    expect(right.length, right.join('\n')).toBeGreaterThanOrEqual(10);
  });

  it('answers nineteen of twenty questions to two guides within the first three passages', async () => {
    const id = await group();
    for (const name of ['operations.md', 'networks.md'])
      await upload(id, name, readFileSync(new URL(`../../../docs/guides/${name}`, import.meta.url)), 'text/markdown');
    const wrong: string[] = [];
    for (const [question, answer] of GUIDES)
      if (!(await search(id, question)).slice(0, 3).some(({ content }) => answer.test(content))) wrong.push(question);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
  });
});
