//! hilbridge_lockstep.rs: a control unit's CAN driver on a bench of hilbridge, whose virtual clock waits for it.
//!
//! SPDX-License-Identifier: MIT
//! Rust 2021 on Linux; no crates. The twin of hilbridge_lockstep.h: `mod hilbridge_lockstep;` beside your main.rs.
//!
//! ```ignore
//! let mut bench = Lockstep::connect(None)?;
//! while bench.tick() {                               // it is bench.time now
//!     while let Some(frame) = bench.receive(0) {     // what was on bus 0 since the last tick
//!         bench.send(0, &Frame::new(0x5A0, &[1]));   // is on the bus in this tick
//!     }
//!     bench.drive("lamp", bench.read("key").unwrap_or(0)); // pins of its board, as numbers of the board protocol
//! }
//! ```
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::env;
use std::io::{BufRead, BufReader, Error, ErrorKind, Result, Write};
use std::os::unix::io::FromRawFd;
use std::os::unix::net::UnixStream;

pub const EXTENDED: u8 = 1; // 29 bits of identifier
pub const REMOTE: u8 = 2;
pub const FD: u8 = 4;
pub const BRS: u8 = 8; // of CAN FD: the data faster

const LENGTHS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

/// A frame. `time` in ns when it was on the bus, of no meaning in what is sent; `length`: of a remote request too.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub time: u64,
    pub id: u32,
    pub flags: u8,
    pub length: u8,
    pub data: [u8; 64],
}

impl Frame {
    /// Make a classical frame of 11 bits; data beyond 64 bytes is cut off.
    pub fn new(id: u32, data: &[u8]) -> Self {
        let length = data.len().min(64);
        let mut frame = Frame { time: 0, id, flags: 0, length: length as u8, data: [0; 64] };
        frame.data[..length].copy_from_slice(&data[..length]);
        frame
    }

    fn line(&self) -> Option<String> {
        let (extended, remote) = (self.flags & EXTENDED != 0, self.flags & REMOTE != 0);
        let (fd, fast) = (self.flags & FD != 0, self.flags & BRS != 0);
        let code = LENGTHS.iter().position(|length| *length == self.length)?;
        let most = if extended { 0x1FFF_FFFF } else { 0x7FF };
        if code > if fd { 15 } else { 8 } || (fd && remote) || (fast && !fd) || self.id > most {
            return None;
        }
        let letter = if remote { 'r' } else if fast { 'b' } else if fd { 'd' } else { 't' };
        let mut line = match extended {
            true => format!("{}{:08X}{code:X}", letter.to_ascii_uppercase(), self.id),
            false => format!("{letter}{:03X}{code:X}", self.id),
        };
        let bytes = if remote { 0 } else { self.length as usize };
        self.data[..bytes].iter().for_each(|byte| line += &format!("{byte:02X}"));
        Some(line)
    }

    fn parse(line: &str) -> Option<Self> {
        let (time, text) = line.split_once(' ')?;
        let letter = text.chars().next()?;
        let digits = if letter.is_ascii_uppercase() { 8 } else { 3 };
        let kind = match letter.to_ascii_lowercase() {
            't' => 0,
            'r' => REMOTE,
            'd' => FD,
            'b' => FD | BRS,
            _ => return None,
        };
        let number = |from: usize, count: usize| u32::from_str_radix(text.get(from..from + count)?, 16).ok();
        let mut frame = Frame::new(number(1, digits)?, &[]);
        frame.time = time.parse().ok()?;
        frame.flags = kind | if digits == 8 { EXTENDED } else { 0 };
        frame.length = LENGTHS[number(1 + digits, 1)? as usize];
        for at in 0..if kind == REMOTE { 0 } else { frame.length as usize } {
            frame.data[at] = number(2 + digits + 2 * at, 2)? as u8;
        }
        Some(frame)
    }
}

struct Bus {
    name: String,
    lines: BufReader<UnixStream>,
    answer: UnixStream,
    out: String,
    heard: VecDeque<Frame>,
    filters: Vec<(u32, u32, bool)>,
}

impl Bus {
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(count) if count > 0 => Some(line.trim_end().to_string()),
            _ => None,
        }
    }

    fn passes(&self, frame: &Frame) -> bool {
        let extended = frame.flags & EXTENDED != 0;
        let fits = |&(id, mask, long): &(u32, u32, bool)| long == extended && (frame.id ^ id) & mask == 0;
        self.filters.is_empty() || self.filters.iter().any(fits)
    }
}

/// The bench. `time` in ns since the start of the run; `interval` in ns from a tick to the next.
pub struct Lockstep {
    pub time: u64,
    pub interval: u64,
    buses: Vec<Bus>,
    pins: HashMap<String, (u32, bool)>, // what is there, and whether this program drives it
    in_turn: bool,
}

impl Lockstep {
    /// Connect to the bench that has started this program; `paths`: to sockets of one that waits, with commas between.
    pub fn connect(paths: Option<&str>) -> Result<Self> {
        let wrong = |words: &str| Error::new(ErrorKind::Other, words);
        let given = env::var("HILBRIDGE_LOCKSTEP").unwrap_or_default();
        if paths.is_none() && given.is_empty() {
            return Err(wrong("no bench has started this program: HILBRIDGE_LOCKSTEP is not set"));
        }
        let mut bench = Lockstep { time: 0, interval: 0, buses: Vec::new(), pins: HashMap::new(), in_turn: false };
        for one in paths.unwrap_or(&given).split(',') {
            let stream = match paths {
                Some(_) => UnixStream::connect(one)?,
                // The bench hands each descriptor over to this program, which takes it here, once.
                None => unsafe { UnixStream::from_raw_fd(one.parse().map_err(|_| wrong("no number of a descriptor"))?) },
            };
            let (lines, heard) = (BufReader::new(stream.try_clone()?), VecDeque::new());
            let mut bus =
                Bus { name: String::new(), lines, answer: stream, out: String::new(), heard, filters: Vec::new() };
            let greeting = bus.line().unwrap_or_default();
            let words: Vec<&str> = greeting.split(' ').collect();
            match words[..] {
                ["lockstep", "1", _, name, interval, ..] => {
                    bus.name = name.to_string();
                    bench.interval = interval.parse().map_err(|_| wrong("no interval"))?;
                    for _ in 0..words.get(5).and_then(|count| count.parse().ok()).unwrap_or(0) {
                        bench.take_pin(&bus.line().unwrap_or_default());
                    }
                }
                _ => return Err(wrong("the bench speaks another version of the protocol than 1")),
            }
            bench.buses.push(bus);
        }
        Ok(bench)
    }

    /// Return how many buses there are.
    pub fn buses(&self) -> usize {
        self.buses.len()
    }

    /// Return the number of the bus with this name in the bench file.
    pub fn bus(&self, name: &str) -> Option<usize> {
        self.buses.iter().position(|bus| bus.name == name)
    }

    /// Let frames of a bus pass whose identifier equals `id` in the bits of `mask`. Without a filter all frames pass.
    pub fn filter(&mut self, bus: usize, id: u32, mask: u32, extended: bool) {
        self.buses[bus].filters.push((id, mask, extended));
    }

    /// Take the oldest frame that has passed.
    pub fn receive(&mut self, bus: usize) -> Option<Frame> {
        self.buses[bus].heard.pop_front()
    }

    /// Send a frame. Return false: no controller could (length, identifier, flags), or there is no such bus.
    pub fn send(&mut self, bus: usize, frame: &Frame) -> bool {
        match (self.buses.get_mut(bus), frame.line()) {
            (Some(bus), Some(line)) => {
                bus.out += &line;
                bus.out += "\n";
                true
            }
            _ => false,
        }
    }

    fn take_pin(&mut self, line: &str) -> bool {
        match line.split(' ').collect::<Vec<&str>>()[..] {
            [word, name, number] if word == "read" || word == "drive" => {
                self.pins.insert(name.to_string(), (number.parse().unwrap_or(0), word == "drive"));
                true
            }
            _ => false,
        }
    }

    /// Return what is at a pin, as the board protocol has it: 0 and 1, 0..65535.
    pub fn read(&self, pin: &str) -> Option<u32> {
        self.pins.get(pin).map(|&(value, _)| value)
    }

    /// Drive a pin from this tick on. Return false: the bench does not measure it.
    pub fn drive(&mut self, pin: &str, value: u32) -> bool {
        match self.pins.get_mut(pin) {
            Some((there, true)) => {
                if *there != value {
                    *there = value;
                    self.buses[0].out += &format!("drive {pin} {value}\n");
                }
                true
            }
            _ => false,
        }
    }

    /// End this tick, and wait for the next. Return false: the run is over, or the bench has gone.
    pub fn tick(&mut self) -> bool {
        for bus in self.buses.iter_mut().filter(|_| self.in_turn) {
            bus.out += &format!("done {}\n", self.time);
            if bus.answer.write_all(bus.out.as_bytes()).is_err() {
                return false;
            }
            bus.out.clear();
        }
        for at in 0..self.buses.len() {
            loop {
                let bus = &mut self.buses[at];
                let line = match bus.line() {
                    Some(line) if line != "end" => line,
                    _ => return false,
                };
                if let Some(time) = line.strip_prefix("done ") {
                    self.time = time.parse().unwrap_or_default();
                    break;
                }
                match Frame::parse(&line) {
                    Some(frame) if bus.passes(&frame) => bus.heard.push_back(frame),
                    Some(_) => {}
                    None => {
                        self.take_pin(&line);
                    }
                }
            }
        }
        self.in_turn = true;
        true
    }
}
