/** The smallest PDF with one line of text. */
export function smallPdf(text: string): Buffer {
  return pdfOf([`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`]);
}

/** @param pages what draws each of them, a character a byte. @param annotations of the first page: dictionaries. */
export function pdfOf(pages: readonly string[], annotations: readonly string[] = []): Buffer {
  const font = 3 + pages.length * 2;
  const kids = pages.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const annots = ` /Annots [${annotations.join(' ')}]`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((stream, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + index * 2} 0 R ` +
        `/Resources << /Font << /F1 ${font} 0 R >> >>${index === 0 ? annots : ''} >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = body.length;
  const size = objects.length + 1;
  body += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(body, 'latin1');
}
