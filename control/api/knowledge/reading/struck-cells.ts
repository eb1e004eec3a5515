/** Records of the workbook of Excel 5 to 2003 (MS-XLS, 2.3), as far as they say which cells are struck through. */
const [BOF, EOF, FONT, FORMAT_OF_CELLS] = [0x809, 0x0a, 0x31, 0xe0];
/** Labels, numbers, formulas, truth values: row, column and format stand first. */
const CELLS: ReadonlySet<number> = new Set([0xfd, 0x204, 0xd6, 0x203, 0x27e, 0x06, 0x205]);
/** Several numbers of one row. */
const NUMBERS = 0xbd;
const STRUCK = 0x08;

/** @returns the places of struck cells ("row column", from 0), sheet by sheet in the order of the file. */
export function struckCells(stream: Buffer): ReadonlySet<string>[] {
  const fonts: boolean[] = [];
  const formats: boolean[] = [];
  const sheets: Set<string>[] = [];
  let depth = 0;
  for (const { type, data } of recordsOf(stream)) {
    if (type === BOF) {
      depth += 1;
      if (depth === 1) sheets.push(new Set());
    } else if (type === EOF) depth -= 1;
    else if (type === FONT && data.length >= 4) fonts.push((data[2]! & STRUCK) !== 0);
    else if (type === FORMAT_OF_CELLS && data.length >= 2) formats.push(fonts[fontAt(data.readUInt16LE(0))] === true);
    // Most workbooks strike nothing.
    if (sheets.length > 1 && !formats.includes(true)) return [];
    if (depth !== 1 || data.length < 6) continue;
    const place = (column: number): string => `${data.readUInt16LE(0)} ${column}`;
    if (CELLS.has(type) && formats[data.readUInt16LE(4)] === true) sheets.at(-1)!.add(place(data.readUInt16LE(2)));
    else if (type === NUMBERS)
      for (let at = 4; at + 8 <= data.length; at += 6)
        if (formats[data.readUInt16LE(at)] === true) sheets.at(-1)!.add(place(data.readUInt16LE(2) + (at - 4) / 6));
  }
  // The first is of the workbook itself.
  return sheets.slice(1);
}

/** There is no font 4. */
const fontAt = (number: number): number => (number > 4 ? number - 1 : number);

function* recordsOf(stream: Buffer): Generator<{ type: number; data: Buffer }> {
  for (let at = 0; at + 4 <= stream.length;) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    yield { type, data: stream.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
  }
}
