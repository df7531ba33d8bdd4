// One strip on a canvas: lines over run time, a value axis for each of the first two units, markers, and cursors. The
// lowest strip alone has the times below it. An axis whose ends are known (`scale`) stands still.

const [LEFT, RIGHT, TOP] = [50, 12, 6]; // [px] around the lines
const SECOND_AXIS = 46; // [px]
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400]; // [s] between two times

export class Chart {
  #canvas;
  #width = 0;
  #height = 0;
  #right = RIGHT;
  #window = [0, 1];
  #bottom = 20;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  timeAt(x) {
    const [from, to] = this.#window;
    const share = (x - LEFT) / (this.#width - LEFT - this.#right);
    return from + Math.min(Math.max(share, 0), 1) * (to - from);
  }

  // `lines`: {colour, unit, points: [[time, value] …]}, NaN where nothing is known; `markers`: {time, text}.
  draw(window, lines, { markers, cursor, marked, measured, times }) {
    this.#bottom = times ? 20 : 6;
    const pen = this.#prepare();
    if (!pen) return;
    const groups = new Map(lines.map(({ unit }) => [unit, bounds(lines.filter((line) => line.unit === unit))]));
    this.#window = window;
    this.#right = groups.size > 1 ? SECOND_AXIS : RIGHT;
    const style = getComputedStyle(this.#canvas);
    const colour = (name) => style.getPropertyValue(name);
    pen.font = "11px system-ui, sans-serif";
    this.#drawTimes(pen, colour, times);
    [...groups].slice(0, 2).forEach(([unit, range], i) => this.#drawAxis(pen, colour, unit, range, i));
    this.#drawMarkers(pen, colour, markers, cursor);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, this.#width - LEFT - this.#right, this.#height - this.#bottom + 1);
    pen.clip();
    for (const line of lines) this.#drawLine(pen, colour(line.colour), line.points, groups.get(line.unit));
    pen.restore();
    if (marked) {
      pen.fillStyle = colour("--accent");
      pen.globalAlpha = 0.18;
      pen.fillRect(this.#x(marked[0]), TOP, this.#x(marked[1]) - this.#x(marked[0]), this.#height - TOP - this.#bottom);
      pen.globalAlpha = 1;
    }
    this.#drawMeasured(pen, colour, measured);
    if (cursor !== null) this.#upright(pen, colour("--text"), cursor, []);
  }

  #prepare() {
    const canvas = this.#canvas;
    const scale = devicePixelRatio;
    [this.#width, this.#height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.#width) return null;
    const [width, height] = [Math.round(this.#width * scale), Math.round(this.#height * scale)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, this.#width, this.#height);
    pen.lineWidth = 1;
    return pen;
  }

  #drawTimes(pen, colour, named) {
    const [from, to] = this.#window;
    const room = (this.#width - LEFT - this.#right) / 74; // labels
    const step = STEPS.find((one) => (to - from) / one <= room) ?? STEPS.at(-1);
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      if (time < 0) continue;
      const x = this.#x(time);
      this.#upright(pen, colour("--line"), time, []);
      pen.fillStyle = colour("--muted");
      if (named && x > LEFT + 12 && x < this.#width - 20) pen.fillText(clock(time), x, this.#height - 5);
    }
  }

  #drawAxis(pen, colour, unit, range, right) {
    pen.textAlign = right ? "left" : "right";
    pen.textBaseline = "middle";
    const x = right ? this.#width - this.#right + 6 : LEFT - 6;
    for (const value of ticks(range, (this.#height - TOP - this.#bottom) / 20)) {
      const y = Math.round(this.#y(value, range)) + 0.5;
      if (!right) {
        pen.strokeStyle = colour("--line");
        pen.beginPath();
        pen.moveTo(LEFT, y);
        pen.lineTo(this.#width - this.#right, y);
        pen.stroke();
      }
      pen.fillStyle = colour("--muted");
      pen.fillText(String(Number(value.toPrecision(6))), x, y);
    }
  }

  // The measuring cursors, each with its letter.
  #drawMeasured(pen, colour, measured) {
    const [from, to] = this.#window;
    (measured ?? []).forEach((time, i) => {
      if (time < from || time > to) return;
      this.#upright(pen, colour("--text"), time, [5, 3]);
      const left = this.#x(time) - 7;
      pen.fillStyle = colour("--text");
      pen.fillRect(left, TOP - 6, 14, 13);
      pen.fillStyle = colour("--surface");
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText("AB"[i], left + 7, TOP + 1);
    });
  }

  // A marker says its text while the cursor is near it.
  #drawMarkers(pen, colour, markers, cursor) {
    const [from, to] = this.#window;
    for (const { time, text } of markers) {
      if (time < from || time > to) continue;
      this.#upright(pen, colour("--amber"), time, [3, 3]);
      if (cursor === null || Math.abs(this.#x(cursor) - this.#x(time)) > 6) continue;
      const leftwards = this.#x(time) > this.#width / 2;
      pen.textAlign = leftwards ? "right" : "left";
      pen.textBaseline = "top";
      pen.fillStyle = colour("--amber");
      pen.fillText(text, this.#x(time) + (leftwards ? -5 : 5), TOP);
    }
  }

  // Of all points in one column of pixels: the first, the extremes, and the last.
  #drawLine(pen, colour, points, range) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.beginPath();
    let column = null;
    const finish = () => {
      if (!column) return;
      for (const y of [column.least, column.most, column.last]) pen.lineTo(column.x, y);
      column = null;
    };
    let down = false;
    for (const [time, value] of points) {
      if (!Number.isFinite(value)) {
        finish();
        down = false;
        continue;
      }
      const [x, y] = [this.#x(time), this.#y(value, range)];
      if (!down) pen.moveTo(x, y);
      if (column && Math.abs(x - column.x) < 0.7) {
        column = { x: column.x, least: Math.min(column.least, y), most: Math.max(column.most, y), last: y };
      } else {
        finish();
        column = { x, least: y, most: y, last: y };
      }
      down = true;
    }
    finish();
    pen.stroke();
    pen.lineWidth = 1;
  }

  #upright(pen, colour, time, dashes) {
    const x = Math.round(this.#x(time)) + 0.5;
    pen.strokeStyle = colour;
    pen.setLineDash(dashes);
    pen.beginPath();
    pen.moveTo(x, TOP);
    pen.lineTo(x, this.#height - this.#bottom);
    pen.stroke();
    pen.setLineDash([]);
  }

  #x(time) {
    const [from, to] = this.#window;
    return LEFT + ((time - from) / (to - from)) * (this.#width - LEFT - this.#right);
  }

  #y(value, [least, most]) {
    return this.#height - this.#bottom - ((value - least) / (most - least)) * (this.#height - TOP - this.#bottom);
  }
}

// Run time as h:mm:ss, without hours where there are none.
export function clock(seconds) {
  const whole = Math.floor(seconds + 1e-6);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function bounds(lines) {
  let [least, most] = [Infinity, -Infinity];
  for (const { points } of lines) {
    for (const [, value] of points) {
      if (!Number.isFinite(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (lines.every(({ scale }) => scale)) { // the known ends, and beyond them what is there: a car that reverses
    return [Math.min(least, ...lines.map(({ scale }) => scale[0])), Math.max(most, ...lines.map(({ scale }) => scale[1]))];
  }
  if (!Number.isFinite(least)) return [0, 1];
  const room = most - least < 1e-6 ? Math.max(Math.abs(most) * 0.05, 0.5) : (most - least) * 0.06;
  return [least - room, most + room];
}

// Some round values within a range, `count` at most.
function ticks([least, most], count) {
  const rough = (most - least) / Math.max(count, 2);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) => (first + i) * step);
}
