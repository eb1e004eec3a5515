import { PROTECTED } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { openCompound } from './compound-file.ts';
import { bodyOf, childrenOf, type PptRecord, recordAt, recordsIn } from './ppt-records.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Kinds of records (MS-PPT, 2.13.24). */
const [DOCUMENT, SLIDE, SLIDE_ATOM, SLIDE_OF_LIST, SLIDE_INFO] = [0x03e8, 0x03ee, 0x03ef, 0x03f3, 0x03f9];
const [LIST, EDIT, PLACES, DRAWN_TEXT] = [0x0ff0, 0x0ff5, 0x1772, 0xf00d];
const [TEXT_OF_LIST, TEXT_KIND, WIDE_TEXT, NARROW_TEXT] = [0x0f9e, 0x0f9f, 0x0fa0, 0x0fa8];
const [SHAPE, SHAPE_DATA, PLACEHOLDER] = [0xf004, 0xf011, 0x0bc3];
/** Placeholders of a date, a number, a footer and a header. */
const EDGES: ReadonlySet<number> = new Set([7, 8, 9, 10]);
/** Lists of slides, by what they are of. */
const [OF_SLIDES, OF_NOTES] = [0, 2];
/** Kinds of texts. */
const TITLES: ReadonlySet<number> = new Set([0, 6]);
const NOTES = 2;
/** In the list of users, in place of a number that everybody has. */
const ENCRYPTED = 0xf3d1c4df;
const IS_HIDDEN = 0x0004;

/** A presentation of PowerPoint 97 to 2003: one section for each slide, with the notes of its speaker. */
export function* readPpt(bytes: Buffer): Generator<Section> {
  const file = openCompound(bytes);
  const main = file.stream('PowerPoint Document') ?? Buffer.alloc(0);
  const user = file.stream('Current User') ?? Buffer.alloc(0);
  if (user.length >= 20 && user.readUInt32LE(12) === ENCRYPTED) throw new UnreadableDocumentError(PROTECTED);
  const { places, document } =
    user.length >= 20 ? editsFrom(main, user.readUInt32LE(16)) : editsFrom(main, main.length);
  const lists = document === null ? [] : childrenOf(document).filter(({ kind }) => kind === LIST);
  const listed = (of: number): Listed[] => lists.filter(({ instance }) => instance === of).flatMap(slidesOfList);
  const slides = listed(OF_SLIDES).map((one) => ({ ...one, record: recordAt(main, places.get(one.place) ?? -1) }));
  const found = slides.filter(({ record }) => record?.kind === SLIDE);
  // Of a damaged one, slides stand in the order in which they were made, or only their texts are listed.
  const made = found.length > 0 ? [] : recordsIn(main).filter(({ kind }) => kind === SLIDE);
  const all = made.length > 0 ? made.map(alone) : slides;
  if (all.length === 0 && document === null)
    throw new UnreadableDocumentError('The presentation is damaged: it has no slides.');
  const notes = new Map(listed(OF_NOTES).map(({ id, place }) => [id, recordAt(main, places.get(place) ?? -1)]));
  for (const [index, { record, texts }] of all.entries()) {
    if (record === null) {
      yield* sectionsOf(blocksOf(texts), { page: index + 1 });
      continue;
    }
    if (isHidden(record)) continue;
    const own = notes.get(notesOf(record));
    const spoken = own == null ? [] : textsIn(own, []).filter(({ kind }) => kind === NOTES);
    yield* sectionsOf(blocksOf([...textsIn(record, texts), ...spoken]), { page: index + 1 });
  }
}

interface Text {
  readonly kind: number;
  readonly text: string;
}

/** What the list of slides says of one. */
interface Listed {
  /** Number of its place in the file. */
  readonly place: number;
  readonly id: number;
  /** Texts to which the slide refers. */
  readonly texts: readonly Text[];
}

const alone = (record: PptRecord) => ({ record, place: 0, id: 0, texts: [] as readonly Text[] });

/** Each time it is saved, a presentation may say where its changed parts are now. */
function editsFrom(main: Buffer, newest: number): { places: Map<number, number>; document: PptRecord | null } {
  const places = new Map<number, number>();
  const seen = new Set<number>();
  let document: number | null = null;
  for (let at = newest; !seen.has(at);) {
    seen.add(at);
    const edit = recordAt(main, at);
    if (edit?.kind !== EDIT || bodyOf(edit).length < 20) break;
    const body = bodyOf(edit);
    document ??= body.readUInt32LE(16);
    const list = recordAt(main, body.readUInt32LE(12));
    if (list?.kind === PLACES) addPlaces(bodyOf(list), places);
    at = body.readUInt32LE(8);
  }
  const record = document === null ? null : recordAt(main, places.get(document) ?? -1);
  const last = () => recordsIn(main).findLast(({ kind }) => kind === DOCUMENT) ?? null;
  return { places, document: record?.kind === DOCUMENT ? record : last() };
}

/** Numbers in a row stand behind the first of them and how many they are. */
function addPlaces(list: Buffer, places: Map<number, number>): void {
  for (let at = 0; at + 4 <= list.length;) {
    const [first, count] = [list.readUInt32LE(at) & 0xfffff, list.readUInt32LE(at) >>> 20];
    at += 4;
    for (let index = 0; index < count && at + 4 <= list.length; index += 1, at += 4)
      if (!places.has(first + index)) places.set(first + index, list.readUInt32LE(at));
  }
}

function slidesOfList(list: PptRecord): Listed[] {
  const slides: { place: number; id: number; texts: Text[] }[] = [];
  let kind = 0;
  for (const record of childrenOf(list)) {
    const body = bodyOf(record);
    if (record.kind === SLIDE_OF_LIST && body.length >= 16)
      slides.push({ place: body.readUInt32LE(0), id: body.readUInt32LE(12), texts: [] });
    else if (record.kind === TEXT_KIND && body.length >= 4) {
      kind = body.readUInt32LE(0);
      slides.at(-1)?.texts.push({ kind, text: '' });
    } else if (isText(record)) slides.at(-1)?.texts.splice(-1, 1, { kind, text: written(record) });
  }
  return slides;
}

/** In the order in which they are drawn. @param listed texts of the list of slides, to which it refers by number. */
function textsIn(record: PptRecord, listed: readonly Text[]): Text[] {
  if (record.kind === SHAPE && isEdge(record)) return [];
  if (record.kind !== DRAWN_TEXT) return childrenOf(record).flatMap((child) => textsIn(child, listed));
  let kind = 4;
  return childrenOf(record).flatMap((child): Text[] => {
    const body = bodyOf(child);
    if (child.kind === TEXT_KIND && body.length >= 4) kind = body.readUInt32LE(0);
    if (child.kind === TEXT_OF_LIST && body.length >= 4) return listed.slice(body.readUInt32LE(0)).slice(0, 1);
    return isText(child) ? [{ kind, text: written(child) }] : [];
  });
}

/** The number of the slide, its date and footer say nothing. */
function isEdge(shape: PptRecord): boolean {
  const places = childrenOf(shape).filter(({ kind }) => kind === SHAPE_DATA);
  const place = places.flatMap(childrenOf).find(({ kind }) => kind === PLACEHOLDER);
  return place !== undefined && EDGES.has(bodyOf(place)[4] ?? 0);
}

const isText = ({ kind }: PptRecord): boolean => kind === WIDE_TEXT || kind === NARROW_TEXT;

function written(record: PptRecord): string {
  const text = bodyOf(record).toString(record.kind === WIDE_TEXT ? 'utf16le' : 'latin1');
  return text.replaceAll('\0', '').replaceAll(/[\r\v\n]+/g, '\n');
}

/** A lone asterisk stands for the number of the slide or its date. */
function blocksOf(texts: readonly Text[]): Block[] {
  const shown = texts.filter(({ text }) => !/^\s*\*?\s*$/.test(text));
  const titles = shown.filter(({ kind }) => TITLES.has(kind));
  return [
    ...titles.map(({ text }): Block => ({ kind: 'heading', level: 1, text: text.replaceAll('\n', ' ') })),
    ...shown.filter((one) => !titles.includes(one)).map(({ text }): Block => ({ kind: 'paragraph', text })),
  ];
}

function isHidden(slide: PptRecord): boolean {
  const info = childrenOf(slide).find(({ kind }) => kind === SLIDE_INFO);
  return info !== undefined && bodyOf(info).length >= 12 && (bodyOf(info).readUInt16LE(10) & IS_HIDDEN) !== 0;
}

/** @returns the number of its notes, 0 of none. */
function notesOf(slide: PptRecord): number {
  const own = childrenOf(slide).find(({ kind }) => kind === SLIDE_ATOM);
  return own === undefined || bodyOf(own).length < 20 ? 0 : bodyOf(own).readUInt32LE(16);
}
