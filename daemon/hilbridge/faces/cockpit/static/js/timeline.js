// Which part of the run all strips show: the newest `span` seconds, or a span that was chosen and stays; and the time
// under the cursor. Zoomed and moved by wheel, pointer and keys.
//
//     drag                 zooms into what was marked          Shift and drag, or one finger     moves
//     wheel                zooms, where the strips have the focus or Ctrl is held; sideways it moves
//     + −   ← →   Home     zoom, move, back to the newest; a double click too
//
// While something is measured, a click and what stands at the cursors is theirs (measure.js).

const [SHORTEST, LONGEST] = [1, 7 * 86400]; // [s]
const CLICK = 5; // [px]: less is no drag
const [NEAR, NEAR_FINGER] = [7, 22]; // [px] around a measuring cursor

export class Timeline extends EventTarget {
  #span = 30;
  #end = null; // [s] of the run; null: the newest
  #newest = 0;
  #start = 0;
  #drag = null;
  cursor = null; // [s] of the run
  marked = null; // [s, s] while a span is being marked
  measure = null; // the measuring cursors

  follow(start, newest) {
    [this.#start, this.#newest] = [start, newest];
  }

  get isLive() {
    return this.#end === null;
  }

  get span() {
    return this.#span;
  }

  get window() {
    const end = this.#end ?? this.#newest;
    return [end - this.#span, end];
  }

  // The part of the window of which there are values.
  get known() {
    const [from, to] = this.window;
    return [Math.max(from, this.#start), Math.max(to, this.#start)];
  }

  pause() {
    this.#show(this.#span, this.#newest);
  }

  resume() {
    this.#end = null;
    this.#say();
  }

  // The last seconds up to the end of what is seen; Infinity: all of the run.
  last(seconds) {
    this.#span = clamp(Number.isFinite(seconds) ? seconds : this.#newest - this.#start);
    if (!Number.isFinite(seconds)) this.#end = null;
    this.#say();
  }

  zoom(factor, around = this.window[1]) {
    const [from, to] = this.window;
    const span = clamp(this.#span * factor);
    const share = (around - from) / (to - from);
    if (this.isLive) this.#show(span, null);
    else this.#show(span, around + span * (1 - share));
  }

  move(seconds) {
    const end = this.window[1] + seconds;
    this.#show(this.#span, end >= this.#newest ? null : Math.max(end, this.#start + this.#span / 4));
  }

  // `timeAt(x)`: the time at a place of the element.
  attach(element, timeAt) {
    element.addEventListener("wheel", (event) => this.#wheel(event, element, timeAt), { passive: false });
    element.addEventListener("dblclick", () => this.resume());
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      const isFinger = event.pointerType === "touch";
      const from = timeAt(event.offsetX);
      const reach = Math.abs(timeAt(event.offsetX + (isFinger ? NEAR_FINGER : NEAR)) - from) || 0;
      const held = event.shiftKey ? null : this.measure?.grab(from, reach);
      this.#drag = { x: event.offsetX, from, pans: event.shiftKey || isFinger, held };
    });
    element.addEventListener("pointermove", (event) => {
      this.cursor = timeAt(event.offsetX);
      if (!this.#drag) return;
      if (this.#drag.held) this.#drag.held(this.cursor);
      else if (this.#drag.pans) this.move(this.#drag.from - this.cursor);
      else this.marked = [this.#drag.from, this.cursor].sort((a, b) => a - b);
    });
    element.addEventListener("pointerup", (event) => {
      const isClick = this.#drag && Math.abs(event.offsetX - this.#drag.x) <= CLICK;
      if (this.marked && !isClick) this.#show(clamp(this.marked[1] - this.marked[0]), this.marked[1]);
      if (isClick && !this.#drag.held) this.measure?.place(timeAt(event.offsetX));
      this.#drag = this.marked = null;
    });
    element.addEventListener("pointercancel", () => (this.#drag = this.marked = null));
    element.addEventListener("pointerleave", () => (this.cursor = null));
  }

  press(event) {
    const action = {
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), Home: () => this.resume(),
      ArrowLeft: () => this.move(-this.#span / 4), ArrowRight: () => this.move(this.#span / 4),
    }[event.key];
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.measure?.press(event.key)) return event.preventDefault();
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
  }

  #wheel(event, element, timeAt) {
    if (!event.ctrlKey && !element.closest("[tabindex]").matches(":focus, :focus-within")) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move((event.deltaX || event.deltaY) / 400 * this.#span);
    else this.zoom(1.0015 ** event.deltaY, timeAt(event.offsetX));
  }

  #show(span, end) {
    [this.#span, this.#end] = [span, end];
    this.#say();
  }

  #say() {
    this.dispatchEvent(new Event("change"));
  }
}

function clamp(span) {
  return Math.min(Math.max(span, SHORTEST), LONGEST);
}
