// Strip charts of chosen signals: the last half minute, newest at the right, scaled to what is seen.

import { find, make, tell } from "./dom.js";

const SPAN = 30_000; // [ms]
const EVERY = 50; // [ms] between two points
const USUAL = ["vehicle.EngineRpm", "vehicle.Speed", "input.Throttle"];
const MOST = 8;
const STORE = "hilbridge.strips";

export class Strips {
  #signals;
  #strips = [];
  #next = 0;

  constructor(signals) {
    this.#signals = signals;
    const menu = find("signal");
    const groups = Map.groupBy ? Map.groupBy(signals.paths, channelOf) : grouped(signals.paths);
    menu.replaceChildren(menu.options[0]);
    for (const [channel, paths] of groups) {
      const options = paths.map((path) => make("option", { value: path }, path.split(".")[1]));
      menu.append(make("optgroup", { label: channel }, ...options));
    }
    menu.onchange = () => {
      this.#add(menu.value);
      menu.value = "";
      this.#store();
    };
    find("strips").replaceChildren();
    const stored = JSON.parse(localStorage.getItem(STORE) ?? "null");
    for (const path of Array.isArray(stored) ? stored : USUAL) this.#add(path);
  }

  show(now) {
    if (now < this.#next) return;
    this.#next = now + EVERY;
    for (const strip of this.#strips) strip.show(now, this.#signals.isLive ? this.#signals.read(strip.path) : NaN);
  }

  #add(path) {
    const known = this.#signals.paths.includes(path) && !this.#strips.some((strip) => strip.path === path);
    if (!known || this.#strips.length >= MOST) return;
    const strip = new Strip(path, this.#signals.unit(path), () => {
      this.#strips = this.#strips.filter((one) => one !== strip);
      strip.element.remove();
      find("signal").focus();
      this.#store();
    });
    this.#strips.push(strip);
    find("strips").append(strip.element);
  }

  #store() {
    localStorage.setItem(STORE, JSON.stringify(this.#strips.map(({ path }) => path)));
  }
}

class Strip {
  #canvas;
  #output;
  #range;
  #points = [];
  #unit;

  constructor(path, unit, remove) {
    this.path = path;
    this.#unit = unit;
    this.#canvas = make("canvas", { role: "img", "aria-label": `${path}, last 30 seconds` });
    this.#output = make("output", { "aria-label": path });
    this.#range = make("span", { class: "muted" });
    const button = make("button", { type: "button", class: "quiet", "aria-label": `Remove ${path}`, onclick: remove }, "✕");
    const caption = make("div", { class: "caption" }, make("span", {}, path), this.#range, this.#output, button);
    this.element = make("div", { class: "strip" }, caption, this.#canvas);
  }

  show(now, value) {
    this.#points.push([now, value]);
    while (this.#points.length && this.#points[0][0] < now - SPAN) this.#points.shift();
    const known = this.#points.map(([, one]) => one).filter(Number.isFinite);
    const [least, most] = bounds(known);
    tell(this.#output, Number.isFinite(value) ? `${short(value)} ${this.#unit}` : "–");
    tell(this.#range, known.length ? `${short(least)} … ${short(most)}` : "");
    this.#draw(now, least, most);
  }

  #draw(now, least, most) {
    const canvas = this.#canvas;
    const scale = devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const style = getComputedStyle(canvas);
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let seconds = 0; seconds <= 30; seconds += 5) {
      const x = Math.round(width - (seconds / 30) * width) + 0.5;
      pen.moveTo(x, 4);
      pen.lineTo(x, height - 4);
    }
    pen.stroke();
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 1.5;
    pen.beginPath();
    let down = false;
    for (const [time, value] of this.#points) {
      if (!Number.isFinite(value)) {
        down = false;
        continue;
      }
      const x = width - ((now - time) / SPAN) * width;
      const y = height - 6 - ((value - least) / (most - least)) * (height - 12);
      if (down) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      down = true;
    }
    pen.stroke();
  }
}

function bounds(values) {
  if (!values.length) return [0, 1];
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least < 1e-6 ? [least - 0.5, most + 0.5] : [least, most];
}

function short(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : 2);
}

function channelOf(path) {
  return path.split(".")[0];
}

function grouped(paths) {
  const groups = new Map();
  for (const path of paths) groups.set(channelOf(path), [...(groups.get(channelOf(path)) ?? []), path]);
  return groups;
}
