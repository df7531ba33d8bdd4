//! The firmware of pins.c in Rust.
mod hilbridge_lockstep;
use hilbridge_lockstep::Lockstep;

fn main() -> std::io::Result<()> {
    let mut bench = Lockstep::connect(None)?;
    println!("{} {}", bench.drive("key", 1), bench.read("x").is_some());
    println!("at first {:?} {:?}", bench.read("key"), bench.read("pedal"));
    while bench.tick() {
        let (key, pedal) = (bench.read("key").unwrap_or(0), bench.read("pedal").unwrap_or(0));
        bench.drive("lamp", key);
        bench.drive("throttle", pedal / 2);
    }
    Ok(())
}
