import type { Page } from 'playwright-core';

/** Neighboring columns of pixels in one color, from left to right. */
export interface ColoredPart {
  /** Share of the canvas's width. */
  readonly from: number;
  readonly to: number;
  /** Height of the highest column, in pixels of the canvas. */
  readonly height: number;
}

/** How much each channel of a pixel may differ from the color: edges are antialiased. */
const TOLERANCE = 24;
/** A column with fewer pixels is the antialiased edge of another one. */
const MIN_PIXELS = 2;

/** @param chart its name. @param color name of a variable of CSS. */
export function coloredParts(page: Page, chart: string, color: string): Promise<readonly ColoredPart[]> {
  return page.evaluate(
    `(() => {
      const isWanted = ({ textContent }) => textContent.startsWith(${JSON.stringify(chart)});
      const canvas = [...document.querySelectorAll('figure.chart')].find(isWanted).querySelector('canvas');
      const probe = document.createElement('i');
      probe.style.color = 'var(${color})';
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
      probe.remove();
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const isInk = (x, y) => {
        const at = (y * width + x) * 4;
        return data[at + 3] > 200 && wanted.every((value, channel) => Math.abs(data[at + channel] - value) < ${TOLERANCE});
      };
      const columns = Array.from({ length: width }, (_, x) => {
        let pixels = 0;
        for (let y = 0; y < height; y++) if (isInk(x, y)) pixels += 1;
        return pixels;
      });
      const parts = [];
      for (let x = 0; x < width; x++) {
        if (columns[x] < ${MIN_PIXELS}) continue;
        const from = x;
        while (columns[x + 1] >= ${MIN_PIXELS}) x++;
        parts.push({ from: from / width, to: (x + 1) / width, height: Math.max(...columns.slice(from, x + 1)) });
      }
      return parts;
    })()`,
  );
}
