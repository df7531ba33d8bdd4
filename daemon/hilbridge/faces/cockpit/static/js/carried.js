// What sent frames say of the entries that instruments show (`facts.gauges`: the signals that carry them). Their newest
// values come at the page's rate, by gauge; until then, and where no server reads frames, the table of frames has them.

const LATE = 2000; // [ms] by which the table may be old: it is asked for twice a second
const SOON = 500; // [ms] the same of values at the page's rate
const [SHORTEST, LONGEST] = [16, 200]; // [ms] of a needle on its way
const NOTHING = "nothing is sent";

export class Carried {
  #signals;
  #gauges = [];
  #rows = new Map(); // of the table of frames, by bus and message
  #readings = null; // [ms of the run, value] by gauge
  #ways = new Map(); // by entry
  #past = new Map(); // [time, value] of the model in the last moments, by entry

  constructor(signals, facts) {
    this.#signals = signals;
    this.adopt(facts);
  }

  // What a reload may change.
  adopt({ gauges }) {
    this.#gauges = gauges;
    this.#readings = null;
    this.#ways.clear();
  }

  get isKnown() {
    return this.#gauges.length > 0;
  }

  // Whether values come at the page's rate, so that needles can follow them.
  get isFollowed() {
    return this.#readings !== null;
  }

  takeRows(rows) {
    this.#rows = new Map(rows.filter(({ received }) => !received).map((row) => [`${row.bus} ${row.message}`, row]));
  }

  takeReadings(readings) {
    this.#readings = readings;
  }

  // The value on its way to the newest one, in the entry's unit; NaN where frames say nothing at present.
  at(entry, now) {
    const gauge = this.#gaugeOf(entry);
    const [time, value] = this.#readingOf(gauge) ?? [];
    if (!Number.isFinite(value)) return NaN;
    if (!this.#ways.has(entry)) this.#ways.set(entry, new Way());
    return this.#ways.get(entry).at(time, value, now);
  }

  // {name, value, text, isWrong}: the signal, its newest value or why there is none, and whether the model has had
  // no such value of late, to `room`; null: no frame is known to carry the entry.
  said(entry, now, room) {
    const model = this.#modelOf(entry, now);
    const gauge = this.#gaugeOf(entry);
    if (!gauge) return null;
    const { value = NaN, text = "" } = this.#newest(gauge);
    const isApart = Math.abs(value) < Math.min(...model) - room || Math.abs(value) > Math.max(...model) + room;
    return { name: `${gauge.message}.${gauge.signal}`, value, text, isApart, isWrong: isApart || text === NOTHING };
  }

  #gaugeOf(entry) {
    return this.#gauges.find((one) => one.entry === entry && this.#rows.has(`${one.bus} ${one.message}`));
  }

  #modelOf(entry, now) {
    const past = (this.#past.get(entry) ?? []).filter(([time]) => now - time < LATE);
    past.push([now, Math.abs(this.#signals.read(entry))]);
    this.#past.set(entry, past);
    return past.map(([, one]) => one);
  }

  // [ms of the run, value] that is not too old; a signal that is not available has the value null.
  #readingOf(gauge) {
    const reading = gauge && this.#readings?.[this.#gauges.indexOf(gauge)];
    return reading && !this.#reasonOf(gauge, reading[0], SOON) ? reading : null;
  }

  #newest(gauge) {
    const { bus, message, signal, factor, offset } = gauge;
    const reading = this.#readingOf(gauge);
    if (Number.isFinite(reading?.[1])) return { value: reading[1] };
    const row = this.#rows.get(`${bus} ${message}`);
    const reason = this.#reasonOf(gauge, row.seen_ms, LATE); // a fault may hold it back
    if (reason) return { text: reason };
    const found = row.signals.find(([one]) => one === signal);
    if (!found) return { text: row.signals.length ? "is on another page of its multiplexer" : "is not read yet" };
    const value = (parseFloat(found[1]) - offset) / factor;
    return Number.isFinite(value) ? { value } : { text: found[1] };
  }

  // Why the frame of a gauge says nothing at present; empty: it does.
  #reasonOf({ bus, message }, time = -Infinity, late = LATE) {
    const row = this.#rows.get(`${bus} ${message}`);
    const age = (this.#signals.newest?.t ?? 0) / 1e6 - time;
    const isLate = row.cycle_ms && age > Math.max(3 * row.cycle_ms, late);
    return row.armed === false || row.awake === false || isLate ? NOTHING : "";
  }
}

// From where a needle is to the value of a new frame, in the time since the frame before.
class Way {
  #time = -Infinity;
  #from = NaN;
  #to = NaN;
  #begin = 0;
  #length = SHORTEST;

  at(time, value, now) {
    if (time !== this.#time) {
      this.#from = Number.isFinite(this.#to) ? this.#place(now) : value;
      [this.#to, this.#begin] = [value, now];
      this.#length = Math.min(Math.max(time - this.#time, SHORTEST), LONGEST);
      this.#time = time;
    }
    return this.#place(now);
  }

  #place(now) {
    return this.#from + (this.#to - this.#from) * Math.min((now - this.#begin) / this.#length, 1);
  }
}
