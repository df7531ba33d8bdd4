//! The firmware of firmware.c in Rust: it sends each frame on, one higher; `refused`: what no controller sends.
mod hilbridge_lockstep;
use hilbridge_lockstep::{Frame, Lockstep, BRS, EXTENDED, FD, REMOTE};

fn main() -> std::io::Result<()> {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut bench = Lockstep::connect(None)?;
    if mode == "filter" {
        bench.filter(0, 0x100, 0x7FF, false);
        bench.filter(0, 0x98000, 0xFFFF_F000, true);
    }
    if mode == "refused" {
        let kinds = [(0x800, 0, 0), (1, 0, 9), (1, FD, 9), (1, BRS, 1), (1, FD | REMOTE, 1), (0x2000_0000, EXTENDED, 0), (1, FD, 65)];
        for (number, (id, flags, length)) in kinds.into_iter().enumerate() {
            let mut frame = Frame::new(id, &[]);
            (frame.flags, frame.length) = (flags, length);
            println!("{number}: {}", bench.send(0, &frame) as i32);
        }
        println!("bus: {}", bench.send(bench.buses(), &Frame::new(1, &[])) as i32);
    }
    while bench.tick() {
        for bus in 0..bench.buses() {
            while let Some(mut frame) = bench.receive(bus) {
                frame.id += 1;
                bench.send((bus + 1) % bench.buses(), &frame);
            }
        }
    }
    Ok(())
}
